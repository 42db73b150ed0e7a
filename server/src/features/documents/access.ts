import { refusalWords } from '@lyceum/contract/permissions'
import { type Actor, can } from '../../actor.ts'
import { AppError, notFound } from '../../errors.ts'
import { approvedAmong, type Executor, findDocument, isMember, type ShownDocument } from './store.ts'

/** Any document, for calls whose flag already says that the caller works across channels. */
export const requireDocument = async (db: Executor, id: string): Promise<ShownDocument> => {
  const document = await findDocument(db, id)
  if (!document) throw notFound()
  return document
}

/**
 * A document whose content the caller may read: members the approved ones of their channels, without a flag,
 * since citations lead there; administrators any that they may download or preview.
 */
export const requireReadableDocument = async (
  db: Executor,
  actor: Actor,
  id: string,
): Promise<ShownDocument> => {
  const document = await requireDocument(db, id)
  if (can(actor, 'canDownloadDocuments') || can(actor, 'canPreviewDocuments')) return document
  if (document.status === 'approved' && (await isMember(db, document.channel_id, actor.userId)))
    return document
  // Whoever sees the document in a list is told what is missing; to others it does not exist.
  if (can(actor, 'canManageDocuments'))
    throw new AppError('permission.denied', { message: refusalWords('canDownloadDocuments') })
  throw notFound()
}

/** Which of these documents can still be opened from a channel's citations. */
export const availableDocuments = async (
  db: Executor,
  channelId: string,
  ids: readonly string[],
): Promise<Set<string>> => new Set(await approvedAmong(db, channelId, [...new Set(ids)]))
