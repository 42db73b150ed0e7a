import { type Document, mimeTypeOf } from '@lyceum/contract/documents'
import type { ShownDocument } from './store.ts'

const deletedUser = 'Deleted user'

const person = (id: string | null, name: string | null): Document['uploadedBy'] =>
  id === null ? { name: deletedUser } : { _id: id, name: name ?? deletedUser }

const instantOf = (at: number): string => new Date(at).toISOString()

export const presentDocument = (row: ShownDocument): Document => {
  const review = {
    by: person(row.reviewer_id, row.reviewer_name),
    at: row.reviewed_at === null ? null : instantOf(row.reviewed_at),
  }
  const isApproved = row.status === 'approved'
  const isRejected = row.status === 'rejected'
  return {
    _id: row.id,
    title: row.title,
    description: row.description,
    originalName: row.original_name,
    filename: row.original_name,
    mimeType: mimeTypeOf[row.kind],
    fileType: row.kind,
    fileSize: row.file_size,
    status: row.status,
    createdAt: instantOf(row.created_at),
    channel: { _id: row.channel_id, name: row.channel_name },
    uploadedBy: person(row.uploader_id, row.uploader_name),
    approvedBy: isApproved ? review.by : null,
    approvedAt: isApproved ? review.at : null,
    rejectedBy: isRejected ? review.by : null,
    rejectedAt: isRejected ? review.at : null,
    index: {
      state: row.index_state,
      percent: row.index_percent,
      attempts: row.index_attempts,
      reason: row.index_reason,
      passages: row.last_passage === null ? null : row.last_passage + 1,
      pages: row.pages,
      answers: row.generation !== null,
    },
  }
}
