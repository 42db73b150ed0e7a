import type { DocumentStatus } from '@lyceum/contract/documents'
import type { Executor } from '#db/client.ts'
import { AppError } from '../../../errors.ts'
import { requireDocument } from '../access.ts'
import { findNewestVersion, findVersion, type ShownVersion } from '../versions/version-store.ts'

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

function decidedWords({ status, reviewer_name, reviewed_at }: ShownVersion): string {
  const by = reviewer_name === null ? '' : ` by ${reviewer_name}`
  const at = reviewed_at === null ? '' : ` on ${moment.format(reviewed_at)} UTC`
  return `This document was already ${status}${by}${at}`
}

function replacedWords({ number, uploader_name }: ShownVersion): string {
  return `${uploader_name ?? 'Someone'} has put version ${number} in its place. Please look at it first.`
}

/**
 * Explains why the caller's view of a document is outdated: who decided about it and when, or who replaced
 * it. Without a number it checks the newest version. Throws if the document no longer exists.
 */
export async function refusalOfSeen(
  db: Executor,
  id: string,
  { number, status = 'pending' }: { number?: number | undefined; status?: DocumentStatus } = {},
): Promise<AppError> {
  await requireDocument(db, id)
  const newest = await findNewestVersion(db, id)
  const seen = number === undefined ? newest : await findVersion(db, id, number)
  if (!seen || !newest) return new AppError('document.replaced')
  return seen.status === status
    ? new AppError('document.replaced', { message: replacedWords(newest) })
    : new AppError('document.not_pending', { message: decidedWords(seen) })
}
