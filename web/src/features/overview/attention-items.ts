import { attentionMaximum, type Overview } from '@lyceum/contract/overview'
import type { StatusPart } from '@lyceum/contract/status'

type AttentionKind = Overview['attention'][number]['kind']

/** `99+` when the server stopped counting. */
export function formatAttentionCount(count: number): string {
  return count >= attentionMaximum ? `${attentionMaximum - 1}+` : String(count)
}

const kinds: Record<AttentionKind, { to: string; one: string; many: string }> = {
  'pending-documents': {
    to: '/admin/documents',
    one: 'document is waiting for approval',
    many: 'documents are waiting for approval',
  },
  'failed-documents': {
    to: '/admin/documents?status=approved&index=failed',
    one: 'approved document could not be indexed',
    many: 'approved documents could not be indexed',
  },
  'expired-invitations': {
    to: '/admin/users',
    one: 'invitation has expired',
    many: 'invitations have expired',
  },
  'unanswered-questions': {
    to: '/admin/analytics?tab=questions',
    one: 'question found no answer in the documents',
    many: 'questions found no answer in the documents',
  },
}

const partNames: Partial<Record<StatusPart, string>> = { mail: 'Email', model: 'Model', backups: 'Backups' }

interface AttentionItem {
  key: string
  to: string
  text: string
}

/** One line for each item that needs attention, with a link to it. */
export function listAttentionItems({ attention, parts }: Overview): AttentionItem[] {
  return [
    ...parts.map(({ part, words }) => ({
      key: part,
      to: '/admin/settings?section=state',
      text: `${partNames[part] ?? part}: ${words}`,
    })),
    ...attention.map(({ kind, count }) => {
      const { to, one, many } = kinds[kind]
      return { key: kind, to, text: `${formatAttentionCount(count)} ${count === 1 ? one : many}` }
    }),
  ]
}

/** How much waits at each path of the navigation. */
export function countByPath({ attention }: Overview): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { kind, count } of attention) {
    const path = kinds[kind].to.replace(/\?.*/, '')
    counts.set(path, Math.min(attentionMaximum, (counts.get(path) ?? 0) + count))
  }
  return counts
}
