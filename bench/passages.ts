import { randomUUID } from 'node:crypto'
import type { Deps } from '../server/src/deps.ts'
import { createTestChannel } from '../server/src/testing/factories.ts'
import { copyPrepared } from './cache.ts'
import { createRandom, createRandomText, createRandomVector } from './random-text.ts'
import { withDeps } from './with-deps.ts'

/** The name of the model that made the vectors. */
export const embeddingModel = 'random'

export const dimensions = 1536
const passagesPerDocument = 1000
const passagesPerBatch = 200
const wordsPerPassage = 180

async function addDocument(deps: Deps, channelId: string, number: number): Promise<void> {
  const random = createRandom(number)
  const [id, versionId, generation] = [randomUUID(), randomUUID(), randomUUID()]
  const now = deps.now()
  const title = `Report ${number}`
  await deps.db
    .insertInto('documents')
    .values({
      id,
      channel_id: channelId,
      title,
      description: '',
      original_name: `report-${number}.txt`,
      status: 'approved',
      version_id: versionId,
      approved_version_id: versionId,
      answering_version_id: versionId,
      generation,
      uploaded_by: null,
      reviewed_by: null,
      reviewed_at: now,
      idempotency_key: null,
      created_at: now,
      updated_at: now,
    })
    .execute()
  await deps.db
    .insertInto('document_versions')
    .values({
      id: versionId,
      document_id: id,
      number: 1,
      status: 'approved',
      original_name: 'text.txt',
      uploaded_by: null,
      reviewed_by: null,
      reviewed_at: now,
      released_at: null,
      idempotency_key: null,
      kind: 'txt',
      file_key: versionId,
      file_size: 1,
      sha256: versionId,
      index_state: 'ready',
      index_percent: 100,
      index_attempts: 1,
      index_reason: null,
      text: null,
      blocks: null,
      pages: null,
      created_at: now,
    })
    .execute()
  for (let from = 0; from < passagesPerDocument; from += passagesPerBatch) {
    const passages = Array.from({ length: passagesPerBatch }, (_, at) => ({
      id: randomUUID(),
      ordinal: from + at,
      text: createRandomText(random, wordsPerPassage),
      embedding: createRandomVector(random, dimensions),
    }))
    await deps.db
      .insertInto('passages')
      .values(
        passages.map(({ id: passageId, ordinal, text }) => ({
          id: passageId,
          generation,
          document_id: id,
          version_id: versionId,
          channel_id: channelId,
          ordinal,
          page: null,
          heading_path: '[]',
          char_start: ordinal * 1000,
          char_end: ordinal * 1000 + text.length,
          text,
          tokens: wordsPerPassage,
        })),
      )
      .execute()
    await deps.passageIndex.add(
      { id: generation, documentId: id, channelId },
      passages.map(({ id: passageId, text }) => ({ id: passageId, title, headingPath: [], text })),
    )
    await deps.passageIndex.addVectors(
      embeddingModel,
      passages.map(({ id: passageId, embedding }) => ({ passageId, embedding })),
    )
  }
}

function fill(folder: string, passages: number): Promise<void> {
  return withDeps(folder, async (deps) => {
    const channelId = await createTestChannel(deps, { name: 'Reports' })
    for (let number = 0; number < passages / passagesPerDocument; number += 1)
      await addDocument(deps, channelId, number)
  })
}

/** Creates a data folder with one channel that has this many indexed passages with vectors. */
export function copyWithPassages(
  to: string,
  passages: number,
  logStep: (step: string) => void,
): Promise<void> {
  return copyPrepared(to, {
    name: `passages-${passages}`,
    sources: [
      'server/src/db/migrations',
      ...['analyze', 'index-file', 'index-writer', 'languages', 'vector-codes', 'word-splitter'].map(
        (name) => `server/src/providers/passage-index/${name}.ts`,
      ),
      'bench/passages.ts',
      'bench/random-text.ts',
    ],
    make: (folder) => fill(folder, passages),
    logStep,
  })
}
