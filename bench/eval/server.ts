import { randomUUID } from 'node:crypto'
import { documentsApi } from '@lyceum/contract/documents'
import type { Deps } from '../../server/src/deps.ts'
import { type FoundPassage, findPassages } from '../../server/src/features/documents/retrieval/retrieval.ts'
import { createAdmin, createTestChannel, type TestUser } from '../../server/src/testing/factories.ts'
import { createFakeEmbedder } from '../../server/src/testing/fake-embedder.ts'
import { createEmbeddingsReply } from '../../server/src/testing/model-stand-in/embeddings.ts'
import { buildTestApp, type TestApp } from '../../server/src/testing/test-app.ts'
import type { CorpusFile } from './corpus.ts'

/** The complete server with its own data folder, without a model unless `ask` is given one. */
export interface EvalServer {
  app: TestApp
  admin: TestUser
}

export async function startEvalServer(settings: Record<string, string>): Promise<EvalServer> {
  // The configuration of this machine must not affect the results.
  const app = await buildTestApp({ env: { OPENAI_API_KEY: '', OPENAI_BASE_URL: '', ...settings } })
  return { app, admin: await createAdmin(app.deps) }
}

export async function upload(server: EvalServer, channelId: string, file: CorpusFile): Promise<string> {
  const { status, body } = await server.app.upload(documentsApi.upload, {
    as: server.admin,
    fields: { channelId, title: file.title },
    file: { name: file.name, content: file.content },
  })
  if (status >= 300) throw new Error(`${file.name} was rejected: ${body.message}`)
  return body._id
}

export async function changeDocument(
  { app, admin }: EvalServer,
  decision: 'approve' | 'reject' | 'remove' | 'reindex',
  id: string,
): Promise<void> {
  const { status } = await app.call(documentsApi[decision], { as: admin, params: { id } })
  if (status >= 300) throw new Error(`${decision} returned ${status}`)
}

/** Creates a channel whose documents are approved and indexed. Returns the ids in the order of the files. */
export async function createIndexedChannel(
  server: EvalServer,
  files: readonly CorpusFile[],
): Promise<{ channelId: string; documentIds: string[] }> {
  const channelId = await createTestChannel(server.app.deps)
  const documentIds: string[] = []
  for (const file of files) {
    const id = await upload(server, channelId, file)
    await changeDocument(server, 'approve', id)
    documentIds.push(id)
  }
  await server.app.runJobs()
  const states = await server.app.deps.db
    .selectFrom('document_versions')
    .innerJoin('documents', 'documents.version_id', 'document_versions.id')
    .select(['documents.original_name', 'index_state', 'index_reason'])
    .where('documents.channel_id', '=', channelId)
    // A reason beside a ready document means that it lacks vectors.
    .where((eb) => eb.or([eb('index_state', '!=', 'ready'), eb('index_reason', 'is not', null)]))
    .execute()
  if (states.length > 0) throw new Error(`not indexed: ${JSON.stringify(states)}`)
  return { channelId, documentIds }
}

export async function readText({ app }: EvalServer, documentId: string): Promise<string> {
  const { text } = await app.deps.db
    .selectFrom('document_versions')
    .innerJoin('documents', 'documents.version_id', 'document_versions.id')
    .select('document_versions.text')
    .where('documents.id', '=', documentId)
    .executeTakeFirstOrThrow()
  return text ?? ''
}

export interface TextRange {
  documentId: string
  charStart: number
  charEnd: number
}

/** Every passage of a channel from the database. */
export async function listPassages(
  { app }: EvalServer,
  channelId: string,
): Promise<(TextRange & { text: string })[]> {
  const rows = await app.deps.db
    .selectFrom('passages')
    .select(['document_id', 'char_start', 'char_end', 'text'])
    .where('channel_id', '=', channelId)
    .execute()
  return rows.map((row) => ({
    documentId: row.document_id,
    charStart: row.char_start,
    charEnd: row.char_end,
    text: row.text,
  }))
}

export function findTopPassages(
  deps: Deps,
  channelId: string,
  question: string,
  limit: number,
  earlierQuestion?: string,
): Promise<FoundPassage[]> {
  return findPassages(deps, {
    channelId,
    question,
    limit,
    ...(earlierQuestion === undefined ? {} : { earlierQuestion }),
  })
}

/** Vectors of hashed words: they test that vectors are stored, searched and fused, but carry no meaning. */
export const hashedEmbedder = createFakeEmbedder('hashed-words', async (texts) => {
  const { data } = createEmbeddingsReply({ input: texts }, 256, false)
  return { vectors: data.map(({ embedding }) => Float32Array.from(embedding)), inputTokens: 0 }
})

export function newId(): string {
  return randomUUID()
}
