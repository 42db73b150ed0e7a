import type { BulkAction } from '@lyceum/contract/documents'
import { formatCount } from '#lib/format-count.ts'

interface ActionLabels {
  verb: string
  doing: string
  done: string
}

/** What users do with a selection. A rejection is undone where its result is shown. */
export type SelectionAction = Exclude<BulkAction, 'undo-reject'>

const labels: Record<BulkAction, ActionLabels> = {
  approve: { verb: 'Approve', doing: 'Approving', done: 'approved' },
  reject: { verb: 'Reject', doing: 'Rejecting', done: 'rejected' },
  'undo-reject': { verb: 'Undo the rejection of', doing: 'Undoing', done: 'returned to review' },
  reindex: { verb: 'Reindex', doing: 'Queuing for reindexing', done: 'queued for reindexing' },
  delete: { verb: 'Delete', doing: 'Deleting', done: 'deleted' },
}

export function getVerb(action: BulkAction): string {
  return labels[action].verb
}
export function describeProgress(action: BulkAction, done: number, total: number): string {
  return `${labels[action].doing}: ${done.toLocaleString()} of ${total.toLocaleString()}`
}
export function describeDone(action: BulkAction, done: number): string {
  return `${formatCount(done, 'document')} ${labels[action].done}`
}
export function describeFailure(action: BulkAction): string {
  return `Failed to ${labels[action].verb.toLowerCase()} the documents`
}
/** Says for how many documents a rejection was undone, and why not for the others. */
export function describePartialUndo(done: number, total: number, reason: string): string {
  return `Undone for ${done.toLocaleString()} of ${formatCount(total, 'document')}. ${reason}`
}
