import {
  type Document,
  type DocumentVersion,
  type IndexProgress,
  mimeTypes,
  type Proposal,
  type VersionState,
} from '@lyceum/contract/documents'
import { describeUnreadPages, isFileReason, withAdvice } from './indexing/index-reasons.ts'
import type { DocumentDetails } from './store.ts'
import type { OwnProposal } from './upload/proposal-store.ts'
import type { VersionDetails } from './versions/version-store.ts'

const deletedUser = 'Deleted user'

function presentUser(id: string | null, name: string | null): Document['uploadedBy'] {
  return id === null ? { name: deletedUser } : { _id: id, name: name ?? deletedUser }
}

function toIsoTimestamp(at: number): string {
  return new Date(at).toISOString()
}

type IndexedRow = Pick<
  VersionDetails,
  'index_state' | 'index_percent' | 'index_attempts' | 'index_reason' | 'unread_pages'
>

/** Why the version was not indexed, or what is missing from its index. */
function getIndexReason(row: IndexedRow): string | null {
  if (row.index_state !== 'ready' || row.unread_pages === null) return withAdvice(row.index_reason)
  const unread = describeUnreadPages(JSON.parse(row.unread_pages) as number[])
  return row.index_reason === null ? unread : `${unread} ${row.index_reason}`
}

function presentIndexProgress(row: IndexedRow): IndexProgress {
  return {
    state: row.index_state,
    percent: row.index_percent,
    attempts: row.index_attempts,
    reason: getIndexReason(row),
    ...(row.index_state === 'failed' && isFileReason(row.index_reason) ? { needsOtherFile: true } : {}),
  }
}

export function presentDocument(row: DocumentDetails): Document {
  const review = {
    by: presentUser(row.reviewer_id, row.reviewer_name),
    at: row.reviewed_at === null ? null : toIsoTimestamp(row.reviewed_at),
  }
  const isApproved = row.status === 'approved'
  const isRejected = row.status === 'rejected'
  return {
    _id: row.id,
    title: row.title,
    description: row.description,
    originalName: row.original_name,
    filename: row.original_name,
    mimeType: mimeTypes[row.kind],
    fileType: row.kind,
    fileSize: row.file_size,
    status: row.status,
    createdAt: toIsoTimestamp(row.created_at),
    channel: { _id: row.channel_id, name: row.channel_name },
    uploadedBy: presentUser(row.uploader_id, row.uploader_name),
    approvedBy: isApproved ? review.by : null,
    approvedAt: isApproved ? review.at : null,
    rejectedBy: isRejected ? review.by : null,
    rejectedAt: isRejected ? review.at : null,
    rejectionReason: isRejected ? row.rejection_reason : null,
    version: { number: row.number, count: row.version_count ?? row.number },
    answering: row.answering_number === null ? null : { number: row.answering_number },
    isProposal: row.is_proposal === 1,
    index: {
      ...presentIndexProgress(row),
      passages: row.last_passage === null ? null : row.last_passage + 1,
      pages: row.pages,
      answers: row.generation !== null,
    },
  }
}

function getVersionState(document: DocumentDetails, version: VersionDetails): VersionState {
  if (version.status === 'rejected') return 'rejected'
  if (version.id === document.answering_version_id) return 'answering'
  if (version.id === document.approved_version_id) return 'approved'
  return version.status === 'pending' && version.id === document.version_id ? 'pending' : 'superseded'
}

export function presentVersion(document: DocumentDetails, row: VersionDetails): DocumentVersion {
  const isApprovedBeforePending = document.status === 'pending' && row.id === document.approved_version_id
  return {
    number: row.number,
    originalName: row.original_name,
    fileType: row.kind,
    fileSize: row.file_size,
    uploadedBy: presentUser(row.uploader_id, row.uploader_name),
    createdAt: toIsoTimestamp(row.created_at),
    state: getVersionState(document, row),
    decidedBy: row.reviewed_at === null ? null : presentUser(row.reviewer_id, row.reviewer_name),
    decidedAt: row.reviewed_at === null ? null : toIsoTimestamp(row.reviewed_at),
    rejectionReason: row.rejection_reason,
    ...(isApprovedBeforePending ? { index: presentIndexProgress(row) } : {}),
    isKept: row.released_at === null,
  }
}

/** An approved proposal stays approved, even while a new version of it is pending. */
export function presentProposal(row: OwnProposal): Proposal {
  const status = row.approved_version_id === null ? row.status : 'approved'
  return {
    _id: row.id,
    title: row.title,
    originalName: row.original_name,
    fileSize: row.file_size,
    status,
    createdAt: toIsoTimestamp(row.created_at),
    decidedAt: status === 'pending' || row.reviewed_at === null ? null : toIsoTimestamp(row.reviewed_at),
    rejectionReason: status === 'rejected' ? row.rejection_reason : null,
    isInUse: row.generation !== null,
  }
}
