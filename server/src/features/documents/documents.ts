import {
  type Document,
  type DocumentIndexFilter,
  mimeTypes,
  type StorageUse,
} from '@lyceum/contract/documents'
import { listMaximum } from '@lyceum/contract/wire'
import type { Tx } from '#db/client.ts'
import type { FileReply } from '#files/file-reply.ts'
import { scheduleFileDeletion } from '#files/store.ts'
import { toPage } from '#lib/page.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { audit, auditAlone } from '../audit/append.ts'
import { requireDocument, requireReadableVersion } from './access.ts'
import { listGenerationsWithoutVectors } from './indexing/index-status.ts'
import { findGenerations } from './indexing/passage-store.ts'
import { presentDocument } from './present.ts'
import { listChannelStorage } from './storage-store.ts'
import { countDocuments, type DocumentFilter, deleteDocument, listDocuments } from './store.ts'

const maxListedChannels = 500

interface ListQuery extends Pick<DocumentFilter, 'status' | 'channelId' | 'uploaderId' | 'search'> {
  index?: DocumentIndexFilter | undefined
  limit?: number | undefined
  skip?: number | undefined
}

/** Newest first. Returns a page if `limit` is given, otherwise an array. */
export async function listMatchingDocuments(deps: Deps, { limit, skip, index, ...query }: ListQuery) {
  const filter = {
    ...query,
    isFailed: index === 'failed',
    ...(index === 'without-vectors' && { generations: await listGenerationsWithoutVectors(deps) }),
  }
  const rows = await listDocuments(deps.db, { ...filter, limit: limit ?? listMaximum, skip: skip ?? 0 })
  const items = rows.map(presentDocument)
  if (limit === undefined) return items
  const total = await countDocuments(deps.db, filter)
  return toPage(items, total, limit)
}

export async function getDocument(deps: Deps, id: string): Promise<Document> {
  return presentDocument(await requireDocument(deps.db, id))
}

export async function downloadDocument(
  deps: Deps,
  actor: Actor,
  id: string,
  versionNumber: number | undefined,
): Promise<FileReply> {
  const { document, version } = await requireReadableVersion(deps.db, actor, id, versionNumber)
  const content = await deps.files.open(version.file_key)
  await auditAlone(deps, {
    actor,
    action: 'document.downloaded',
    object: { type: 'document', id, name: document.title },
    after: { channelId: document.channel_id, version: version.number },
  }).catch((error: unknown) => {
    content.destroy()
    throw error
  })
  return {
    content,
    mimeType: mimeTypes[version.kind],
    size: version.file_size,
    name: version.original_name,
  }
}

/**
 * Deletes the rows, the passages and the text in one transaction, unless `isAllowed` returns false. A job deletes the
 * files a day later.
 */
export async function removeDocument(
  deps: Deps,
  actor: Actor,
  id: string,
  isAllowed: (tx: Tx) => Promise<boolean> = async () => true,
): Promise<{ message: string }> {
  const { title, channel_id: channelId, status } = await requireDocument(deps.db, id)
  const generations = await deps.db.transaction().execute(async (tx) => {
    if (!(await isAllowed(tx))) throw notFound()
    const generations = await findGenerations(tx, id)
    const files = await deleteDocument(tx, id)
    if (!files) throw notFound()
    await scheduleFileDeletion(tx, files, deps.now())
    await audit(deps, tx, {
      actor,
      action: 'document.deleted',
      object: { type: 'document', id, name: title },
      before: { channelId, status },
    })
    return generations
  })
  deps.faults.reach('document.deleted')
  // The database already excludes it from every answer. If this fails, a later clean-up removes the passages.
  await deps.passageIndex
    .drop(generations)
    .catch((error: unknown) =>
      deps.log.error({ err: error, documentId: id }, 'could not remove passages from the index'),
    )
  return { message: `“${title}” was deleted` }
}

/** Storage used by documents, largest channels first. The total includes channels that are not listed. */
export async function getStorageUse({ db }: Deps): Promise<StorageUse> {
  const rows = await listChannelStorage(db)
  const total = { documents: 0, bytes: 0, passages: 0 }
  for (const { documents, bytes, passages } of rows) {
    total.documents += documents
    total.bytes += bytes
    total.passages += passages
  }
  const channels = rows
    .toSorted((a, b) => b.bytes - a.bytes || a.name.localeCompare(b.name))
    .slice(0, maxListedChannels)
    .map(({ id, name, ...use }) => ({ channel: { _id: id, name }, ...use }))
  return { channels, total }
}
