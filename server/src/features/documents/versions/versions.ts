import type { Document, DocumentVersion } from '@lyceum/contract/documents'
import { uuidv7 } from 'uuidv7'
import type { Tx } from '#db/client.ts'
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
import { presentDocument, presentVersion } from '../present.ts'
import { createOutdatedViewError } from '../review/outdated-view-error.ts'
import type { DocumentDetails } from '../store.ts'
import { normalizeFileName } from '../upload/file-name.ts'
import {
  type CheckedFile,
  checkFile,
  createVersionColumns,
  requireFile,
  storeThenRecord,
} from '../upload/receive-file.ts'
import { requireNoDuplicate } from '../upload/upload.ts'
import {
  changeDocument,
  findByVersionIdempotencyKey,
  findNewestVersion,
  insertVersion,
  listVersions,
  lockUnchangedDocument,
} from './version-store.ts'

export async function listPresentedVersions(deps: Deps, id: string): Promise<DocumentVersion[]> {
  const document = await requireDocument(deps.db, id)
  return (await listVersions(deps.db, id)).map((version) => presentVersion(document, version))
}

interface Replacement {
  actor: Actor
  /** The document as read when the request arrived. If it has changed since, the replacement is rejected. */
  seen: DocumentDetails
  file: CheckedFile
  idempotencyKey: string | null
}

async function insertReplacement(
  deps: Deps,
  tx: Tx,
  replacement: Replacement,
  stored: StoredFile,
): Promise<void> {
  const { actor, seen, file, idempotencyKey } = replacement
  // Lock the channel first, as uploads do: both enforce the rule against duplicate content.
  const channel = await requireLockedChannel(tx, seen.channel_id)
  if (idempotencyKey && (await findByVersionIdempotencyKey(tx, idempotencyKey))) return
  requireNotArchived(channel)
  if (!(await lockUnchangedDocument(tx, seen.id, seen)))
    throw await createOutdatedViewError(tx, seen.id, seen)
  await requireNoDuplicate(tx, seen.channel_id, stored.sha256, seen.id)
  const newest = await findNewestVersion(tx, seen.id)
  const id = uuidv7()
  const number = (newest?.number ?? 0) + 1
  const now = deps.now()
  await insertVersion(tx, {
    id,
    document_id: seen.id,
    number,
    idempotency_key: idempotencyKey,
    ...createVersionColumns(file, stored, actor.userId, now),
  })
  await changeDocument(tx, seen.id, { status: 'pending', version_id: id, original_name: file.name }, now)
  await emitDocumentEvent(deps, tx, 'document.pending', { ...seen, number })
  await audit(deps, tx, {
    actor,
    action: 'document.uploaded',
    object: { type: 'document', id: seen.id, name: seen.title },
    after: {
      channelId: seen.channel_id,
      version: number,
      fileName: file.name,
      sha256: stored.sha256,
      bytes: stored.size,
    },
  })
}

/** Adds a pending version. The current build stays in use until the new version is indexed. */
export async function replaceDocument(
  deps: Deps,
  actor: Actor,
  id: string,
  { file, idempotencyKey }: { file: ReceivedFile | null; idempotencyKey: string | null },
): Promise<Document> {
  const key = scopeIdempotencyKey(idempotencyKey, actor.userId, id)
  const earlier = key && (await findByVersionIdempotencyKey(deps.db, key))
  if (earlier) return presentDocument(earlier)
  const seen = await requireDocument(deps.db, id)
  const channel = await requireVisibleChannel(deps.db, actor, seen.channel_id)
  if (channel.use_assistant) throw new AppError('channel.no_documents')
  requireNotArchived(channel)
  const received = requireFile(file)
  const checked = await checkFile(deps, received, normalizeFileName(received.name))
  const replacement: Replacement = { actor, seen, file: checked, idempotencyKey: key }
  await storeThenRecord(deps, checked.path, (stored) =>
    deps.db.transaction().execute((tx) => insertReplacement(deps, tx, replacement, stored)),
  )
  return presentDocument(await requireDocument(deps.db, id))
}
