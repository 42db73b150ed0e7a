import type { DocumentStatus } from '@lyceum/contract/documents'
import type { Executor } from '#db/client.ts'
import { AppError } from '../../../errors.ts'
import { requireDocument } from '../access.ts'
import { findNewestVersion, findVersion, type VersionDetails } from '../versions/version-store.ts'

const dateFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

function describeDecision({ status, reviewer_name, reviewed_at }: VersionDetails): string {
  const by = reviewer_name === null ? '' : ` by ${reviewer_name}`
  const at = reviewed_at === null ? '' : ` on ${dateFormat.format(reviewed_at)} UTC`
  return `This document was already ${status}${by}${at}`
}

function describeReplacement({ number, uploader_name }: VersionDetails): string {
  return `${uploader_name ?? 'Someone'} replaced this document with version ${number}. Review that version first.`
}

/**
 * Explains why the caller's view of a document is outdated: who decided on it and when, or who replaced
 * it. Without a number it checks the newest version. Throws if the document no longer exists.
 */
export async function createOutdatedViewError(
  db: Executor,
  id: string,
  { number, status = 'pending' }: { number?: number | undefined; status?: DocumentStatus } = {},
): Promise<AppError> {
  await requireDocument(db, id)
  const newest = await findNewestVersion(db, id)
  const viewed = number === undefined ? newest : await findVersion(db, id, number)
  if (!viewed || !newest) return new AppError('document.replaced')
  // A rejection that the caller saw was undone.
  if (viewed.status === 'pending' && status === 'rejected') return new AppError('document.not_rejected')
  return viewed.status === status
    ? new AppError('document.replaced', { message: describeReplacement(newest) })
    : new AppError('document.not_pending', { message: describeDecision(viewed) })
}
