import type { BulkAction } from '@lyceum/contract/documents'
import { formatCount } from '#lib/format-count.ts'

interface Words {
  verb: string
  doing: string
  done: string
  /** What happens to them, for those that are asked about first. */
  consequence: string
}

const words: Record<BulkAction, Words> = {
  approve: { verb: 'Approve', doing: 'Approving', done: 'approved', consequence: '' },
  reject: {
    verb: 'Reject',
    doing: 'Rejecting',
    done: 'rejected',
    consequence: 'A rejected document never answers. Where an earlier version is approved, that one stays.',
  },
  reindex: { verb: 'Reindex', doing: 'Asking to reindex', done: 'being reindexed', consequence: '' },
  delete: {
    verb: 'Delete',
    doing: 'Deleting',
    done: 'deleted',
    consequence: 'The files and their indexed passages go for good, and answers stop quoting them at once.',
  },
}

export function verbOf(action: BulkAction): string {
  return words[action].verb
}
export function consequenceOf(action: BulkAction): string {
  return words[action].consequence
}
export function progressWords(action: BulkAction, done: number, total: number): string {
  return `${words[action].doing}: ${done.toLocaleString()} of ${total.toLocaleString()}`
}
export function doneWords(action: BulkAction, done: number): string {
  return `${formatCount(done, 'document')} ${words[action].done}`
}
export function failedWords(action: BulkAction): string {
  return `Failed to ${words[action].verb.toLowerCase()} the documents`
}
