import { createReadStream } from 'node:fs'
import type { Document, DocumentKind } from '@lyceum/contract/documents'
import type { ErrorCode } from '@lyceum/contract/errors'
import { uuidv7 } from 'uuidv7'
import type { StoredFile } from '#providers/files/port.ts'
import { type SniffFault, sniffFile } from '#providers/text-extraction/sniff.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { requireVisibleChannel } from '../channels/access.ts'
import { requireDocument } from './access.ts'
import { usableFileName, usableTitle } from './file-name.ts'
import { requireFreeSpace } from './free-space.ts'
import { presentDocument } from './present.ts'
import {
  countDocuments,
  type Executor,
  findByIdempotencyKey,
  findSameContent,
  insertDocument,
  isFileStored,
  lockChannel,
} from './store.ts'

export const documentsPerChannel = 5000
const longestText = 10 * 1024 * 1024

const refusalOf: Record<SniffFault, ErrorCode> = {
  type: 'document.type',
  content: 'document.content',
  empty: 'document.empty',
  encrypted: 'document.encrypted',
  unsafe: 'document.unsafe',
}

export interface UploadInput {
  /** Received whole, in a place of its own until the call is answered. */
  file: { path: string; name: string; size: number } | null
  fields: { channelId: string; title: string; description: string }
  idempotencyKey: string | null
}

interface Draft {
  actor: Actor
  channelId: string
  title: string
  description: string
  name: string
  kind: DocumentKind
  idempotencyKey: string | null
}

const draftOf = async (
  deps: Deps,
  actor: Actor,
  file: NonNullable<UploadInput['file']>,
  { channelId, title, description }: UploadInput['fields'],
): Promise<Omit<Draft, 'idempotencyKey'>> => {
  const name = usableFileName(file.name)
  const channel = await requireVisibleChannel(deps.db, actor, channelId)
  if (channel.use_assistant) throw new AppError('channel.no_documents')
  const sniffed = await sniffFile(file.path, name)
  if ('fault' in sniffed) throw new AppError(refusalOf[sniffed.fault])
  if (sniffed.kind === 'txt' && file.size > longestText)
    throw new AppError('document.too_large', { message: 'A text file can have at most 10 MB' })
  await requireFreeSpace(deps.env.DATA_DIR, file.size)
  return {
    actor,
    channelId,
    title: usableTitle(title, name),
    description: description.trim(),
    name,
    kind: sniffed.kind,
  }
}

const storeFile = async (deps: Deps, path: string): Promise<StoredFile> => {
  try {
    return await deps.files.put(createReadStream(path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
      throw new AppError('storage.full', { cause: error })
    throw error
  }
}

/** The rules about a channel's documents and the row, in one transaction; the id of what answers the call. */
const record = async (deps: Deps, tx: Executor, draft: Draft, stored: StoredFile): Promise<string> => {
  const channel = await lockChannel(tx, draft.channelId)
  if (!channel) throw notFound()
  if (channel.use_assistant) throw new AppError('channel.no_documents')
  const earlier = draft.idempotencyKey && (await findByIdempotencyKey(tx, draft.idempotencyKey))
  if (earlier) return earlier.id
  const same = await findSameContent(tx, draft.channelId, stored.sha256)
  if (same)
    throw new AppError('document.duplicate', {
      message: `This channel already has a document with the same content: “${same.original_name}”`,
    })
  if ((await countDocuments(tx, { channelId: draft.channelId })) >= documentsPerChannel)
    throw new AppError('document.channel_full')
  const id = uuidv7()
  const versionId = uuidv7()
  const now = deps.now()
  await insertDocument(
    tx,
    {
      id,
      channel_id: draft.channelId,
      title: draft.title,
      description: draft.description,
      original_name: draft.name,
      status: 'pending',
      version_id: versionId,
      generation: null,
      uploaded_by: draft.actor.userId,
      reviewed_by: null,
      reviewed_at: null,
      idempotency_key: draft.idempotencyKey,
      created_at: now,
      updated_at: now,
    },
    {
      id: versionId,
      document_id: id,
      number: 1,
      kind: draft.kind,
      file_key: stored.key,
      file_size: stored.size,
      sha256: stored.sha256,
      index_state: 'none',
      index_percent: 0,
      index_attempts: 0,
      index_reason: null,
      text: null,
      blocks: null,
      pages: null,
      created_at: now,
    },
  )
  return id
}

/**
 * A file no row refers to is taken away again. When the database cannot say, the file stays: a commit whose answer
 * was lost may have kept the row, and the clean-up of orphans takes what is left over.
 */
const removeUnlessRecorded = async (deps: Deps, fileKey: string): Promise<void> => {
  const isRecorded = await isFileStored(deps.db, fileKey).catch(() => true)
  if (!isRecorded) await deps.files.remove(fileKey)
}

/** The file first and whole on disk, then the row, then the answer: a row always has its file. */
export const uploadDocument = async (
  deps: Deps,
  actor: Actor,
  { file, fields, idempotencyKey }: UploadInput,
): Promise<Document> => {
  const key = idempotencyKey && `${actor.userId}:${idempotencyKey}`
  const earlier = key && (await findByIdempotencyKey(deps.db, key))
  if (earlier) return presentDocument(earlier)
  if (!file || (file.name === '' && file.size === 0)) throw new AppError('document.missing_file')
  const draft = { ...(await draftOf(deps, actor, file, fields)), idempotencyKey: key }
  const stored = await storeFile(deps, file.path)
  deps.faults.reach('blob.renamed')
  try {
    const id = await deps.db.transaction().execute((tx) => record(deps, tx, draft, stored))
    deps.faults.reach('document.committed')
    return presentDocument(await requireDocument(deps.db, id))
  } catch (error) {
    // The same key in two channels at once: the transaction that came second failed on the unique column.
    const first = key && !(error instanceof AppError) && (await findByIdempotencyKey(deps.db, key))
    if (first) return presentDocument(first)
    throw error
  } finally {
    await removeUnlessRecorded(deps, stored.key)
  }
}
