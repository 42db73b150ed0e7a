import { getRefusalText } from '@lyceum/contract/permissions'
import type { Executor } from '#db/client.ts'
import { type Actor, can } from '../../actor.ts'
import { AppError, notFound } from '../../errors.ts'
import { type DocumentDetails, findDocument, findReadableVersions, isMember } from './store.ts'
import { findVersion, findVersionById, type VersionDetails } from './versions/version-store.ts'

/** Finds any document. Only for calls whose permission already covers every channel. */
export async function requireDocument(db: Executor, id: string): Promise<DocumentDetails> {
  const document = await findDocument(db, id)
  if (!document) throw notFound()
  return document
}

/** Members read the answering version, which citations refer to. Without one they read the approved one. */
function findMemberVersion(db: Executor, document: DocumentDetails): Promise<VersionDetails | undefined> {
  return findVersionById(db, document.answering_version_id ?? document.approved_version_id ?? '')
}

/** Preview and download read the same file, so either permission opens every version. */
export function canReadAnyVersion(actor: Actor): boolean {
  return can(actor, 'canDownloadDocuments') || can(actor, 'canPreviewDocuments')
}

/**
 * Returns a document and the version whose content the caller may read. Members need no permission for
 * approved versions in their channels, even superseded ones, because citations link to them. Administrators
 * who may download or preview read any version, by default the current one.
 */
export async function requireReadableVersion(
  db: Executor,
  actor: Actor,
  id: string,
  versionNumber: number | undefined,
): Promise<{ document: DocumentDetails; version: VersionDetails }> {
  const document = await requireDocument(db, id)
  const requested = versionNumber === undefined ? undefined : await findVersion(db, id, versionNumber)
  if (canReadAnyVersion(actor)) {
    const version = versionNumber === undefined ? await findVersionById(db, document.version_id) : requested
    if (!version) throw notFound()
    if (version.released_at !== null) throw new AppError('document.version_released')
    return { document, version }
  }
  const isReadable =
    document.approved_version_id !== null && (await isMember(db, document.channel_id, actor.userId))
  const version = versionNumber === undefined ? await findMemberVersion(db, document) : requested
  if (isReadable && version?.status === 'approved') return { document, version }
  // Callers who can list documents learn which permission is missing. To others the document does not exist.
  if (can(actor, 'canManageDocuments'))
    throw new AppError('permission.denied', { message: getRefusalText('canDownloadDocuments') })
  throw notFound()
}

/** Maps the documents that a channel's citations can still open to the number of their answering version. */
export function findAvailableVersions(
  db: Executor,
  channelId: string,
  ids: readonly string[],
): Promise<Map<string, number | null>> {
  return findReadableVersions(db, channelId, [...new Set(ids)])
}
