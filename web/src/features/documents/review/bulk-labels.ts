import type { BulkAction } from '@lyceum/contract/documents'
import { formatCount } from '#lib/format-count.ts'

interface ActionLabels {
  verb: string
  doing: string
  done: string
  /** Shown in the confirmation; empty for actions that run without one. */
  consequence: string
}

/** What users do with a selection. A rejection is undone where its result is shown. */
export type SelectionAction = Exclude<BulkAction, 'undo-reject'>

const labels: Record<BulkAction, ActionLabels> = {
  approve: { verb: 'Approve', doing: 'Approving', done: 'approved', consequence: '' },
  reject: {
    verb: 'Reject',
    doing: 'Rejecting',
    done: 'rejected',
    consequence: 'Rejected documents are not used in answers. Earlier approved versions stay in use.',
  },
  'undo-reject': {
    verb: 'Undo the rejection of',
    doing: 'Undoing',
    done: 'returned to review',
    consequence: '',
  },
  reindex: {
    verb: 'Reindex',
    doing: 'Queuing for reindexing',
    done: 'queued for reindexing',
    consequence: '',
  },
  delete: {
    verb: 'Delete',
    doing: 'Deleting',
    done: 'deleted',
    consequence:
      'The files and their indexed passages will be permanently deleted and no longer used in answers.',
  },
}

export function getVerb(action: BulkAction): string {
  return labels[action].verb
}
export function describeConsequence(action: BulkAction): string {
  return labels[action].consequence
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
