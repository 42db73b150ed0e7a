import { refusalText } from '@lyceum/contract/permissions'
import type { Executor } from '#db/client.ts'
import { type Actor, can } from '../../actor.ts'
import { AppError, notFound } from '../../errors.ts'
import { findDocument, isMember, readableAmong, type ShownDocument } from './store.ts'
import { findVersion, findVersionById, type ShownVersion } from './versions/version-store.ts'

/** Any document, for calls whose flag already says that the caller works across channels. */
export async function requireDocument(db: Executor, id: string): Promise<ShownDocument> {
  const document = await findDocument(db, id)
  if (!document) throw notFound()
  return document
}

/** The version that members read: what answers, so that a citation is found in it, and before that what is approved. */
function readVersion(db: Executor, document: ShownDocument): Promise<ShownVersion | undefined> {
  return findVersionById(db, document.answering_version_id ?? document.approved_version_id ?? '')
}

/**
 * A document and the version of it whose content the caller may read: members the approved ones of their channels,
 * without a flag, since citations lead there, also when another has taken their place since; administrators any that
 * they may download or preview, the one under review unless they name another.
 */
export async function requireReadableVersion(
  db: Executor,
  actor: Actor,
  id: string,
  number: number | undefined,
): Promise<{ document: ShownDocument; version: ShownVersion }> {
  const document = await requireDocument(db, id)
  const named = number === undefined ? undefined : await findVersion(db, id, number)
  if (can(actor, 'canDownloadDocuments') || can(actor, 'canPreviewDocuments')) {
    const version = number === undefined ? await findVersionById(db, document.version_id) : named
    if (!version) throw notFound()
    if (version.released_at !== null) throw new AppError('document.version_released')
    return { document, version }
  }
  const mayRead =
    document.approved_version_id !== null && (await isMember(db, document.channel_id, actor.userId))
  const version = number === undefined ? await readVersion(db, document) : named
  if (mayRead && version?.status === 'approved') return { document, version }
  // Whoever sees the document in a list is told what is missing; to others it does not exist.
  if (can(actor, 'canManageDocuments'))
    throw new AppError('permission.denied', { message: refusalText('canDownloadDocuments') })
  throw notFound()
}

/** Which of these documents can still be opened from a channel's citations, and which version of them answers. */
export function availableDocuments(
  db: Executor,
  channelId: string,
  ids: readonly string[],
): Promise<Map<string, number | null>> {
  return readableAmong(db, channelId, [...new Set(ids)])
}
