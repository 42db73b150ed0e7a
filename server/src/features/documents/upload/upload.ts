import type { Document } from '@lyceum/contract/documents'
import { uuidv7 } from 'uuidv7'
import type { Executor, Tx } from '#db/client.ts'
import type { ReceivedFile } from '#files/store-file.ts'
import type { StoredFile } from '#providers/files/port.ts'
import type { Actor } from '../../../actor.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { scopeIdempotencyKey } from '../../../idempotency-key.ts'
import { audit } from '../../audit/append.ts'
import { requireLockedChannel, requireNotArchived, requireVisibleChannel } from '../../channels/access.ts'
import { emitDocumentEvent } from '../../webhooks/emit.ts'
import { requireDocument } from '../access.ts'
import { presentDocument } from '../present.ts'
import {
  countDocuments,
  type DocumentDetails,
  findByIdempotencyKey,
  findSameContent,
  insertDocument,
} from '../store.ts'
import { normalizeFileName, normalizeTitle } from './file-name.ts'
import {
  type CheckedFile,
  checkFile,
  createVersionColumns,
  requireFile,
  storeThenRecord,
} from './receive-file.ts'

export const maxDocumentsPerChannel = 5000

export interface UploadInput {
  file: ReceivedFile | null
  fields: { channelId: string; title: string; description: string }
  idempotencyKey: string | null
}

/** A new pending document, either uploaded or proposed. */
export interface NewDocument {
  actor: Actor
  channelId: string
  title: string
  description: string
  file: CheckedFile
  idempotencyKey: string | null
  isProposal: boolean
  /** Additional checks, run while the channel is locked. */
  checkChannel?: (tx: Tx, channel: { allow_proposals: 0 | 1 }) => Promise<void>
}

export async function requireNoDuplicate(
  db: Executor,
  channelId: string,
  sha256: string,
  documentId?: string,
): Promise<void> {
  const same = await findSameContent(db, channelId, sha256)
  if (!same) return
  throw new AppError('document.duplicate', {
    message:
      same.id === documentId
        ? `This is the same file as the current version of “${same.original_name}”.`
        : nameDuplicate(same.original_name),
  })
}

function nameDuplicate(name: string): string {
  return `This channel already has a document with the same content: “${name}”.`
}

/** Members learn only the names of approved documents and of those that they proposed themselves. */
async function requireNewProposal(
  db: Executor,
  actor: Actor,
  channelId: string,
  sha256: string,
): Promise<void> {
  const same = await findSameContent(db, channelId, sha256)
  if (!same) return
  const isVisible = same.version_status === 'approved' || same.version_uploader === actor.userId
  throw new AppError('document.duplicate', isVisible ? { message: nameDuplicate(same.version_name) } : {})
}

/** Checks the channel's rules and inserts the rows. A repeated idempotency key returns the id of the first document. */
async function insertUpload(deps: Deps, tx: Tx, draft: NewDocument, stored: StoredFile): Promise<string> {
  const { actor, channelId, file } = draft
  const channel = await requireLockedChannel(tx, channelId)
  if (channel.use_assistant) throw new AppError('channel.no_documents')
  const earlier = draft.idempotencyKey && (await findByIdempotencyKey(tx, draft.idempotencyKey))
  if (earlier) return earlier.id
  requireNotArchived(channel)
  await draft.checkChannel?.(tx, channel)
  if (draft.isProposal) await requireNewProposal(tx, actor, channelId, stored.sha256)
  else await requireNoDuplicate(tx, channelId, stored.sha256)
  if ((await countDocuments(tx, { channelId })) >= maxDocumentsPerChannel)
    throw new AppError('document.channel_full')
  const id = uuidv7()
  const versionId = uuidv7()
  const now = deps.now()
  await insertDocument(
    tx,
    {
      id,
      channel_id: channelId,
      title: draft.title,
      description: draft.description,
      original_name: file.name,
      status: 'pending',
      version_id: versionId,
      is_proposal: draft.isProposal ? 1 : 0,
      uploaded_by: actor.userId,
      idempotency_key: draft.idempotencyKey,
      created_at: now,
      updated_at: now,
    },
    {
      id: versionId,
      document_id: id,
      number: 1,
      ...createVersionColumns(file, stored, actor.userId, now),
    },
  )
  const document = { id, title: draft.title, channel_id: channelId, number: 1 }
  await emitDocumentEvent(deps, tx, 'document.pending', document)
  await audit(deps, tx, {
    actor,
    action: 'document.uploaded',
    object: { type: 'document', id, name: draft.title },
    after: {
      channelId,
      fileName: file.name,
      sha256: stored.sha256,
      bytes: stored.size,
      isProposal: draft.isProposal,
    },
  })
  return id
}

/** Stores the file and then the document. Another call with the same key returns the first document. */
export async function addDocument(deps: Deps, draft: NewDocument): Promise<DocumentDetails> {
  try {
    const id = await storeThenRecord(deps, draft.file.path, (stored) =>
      deps.db.transaction().execute((tx) => insertUpload(deps, tx, draft, stored)),
    )
    return await requireDocument(deps.db, id)
  } catch (error) {
    // The same key was used in two channels at once: the second transaction failed on the unique column.
    const key = draft.idempotencyKey
    const first = key && !(error instanceof AppError) && (await findByIdempotencyKey(deps.db, key))
    if (first) return first
    throw error
  }
}

export async function uploadDocument(
  deps: Deps,
  actor: Actor,
  { file, fields, idempotencyKey }: UploadInput,
): Promise<Document> {
  const key = scopeIdempotencyKey(idempotencyKey, actor.userId)
  const earlier = key && (await findByIdempotencyKey(deps.db, key))
  if (earlier) return presentDocument(earlier)
  const received = requireFile(file)
  const name = normalizeFileName(received.name)
  const channel = await requireVisibleChannel(deps.db, actor, fields.channelId)
  if (channel.use_assistant) throw new AppError('channel.no_documents')
  requireNotArchived(channel)
  const document = await addDocument(deps, {
    actor,
    channelId: fields.channelId,
    title: normalizeTitle(fields.title, name),
    description: fields.description.trim(),
    file: await checkFile(deps, received, name),
    idempotencyKey: key,
    isProposal: false,
  })
  return presentDocument(document)
}
