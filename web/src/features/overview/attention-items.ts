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

/** What the pages show when they are opened from the navigation. */
const shownFirst: readonly AttentionKind[] = [
  'pending-documents',
  'expired-invitations',
  'unanswered-questions',
]

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

/**
 * How much the page of each navigation link shows as waiting. What waits in another view of that page, such as a filter,
 * is only listed on the admin home.
 */
export function countByPath({ attention }: Overview): Map<string, number> {
  const countOf = new Map(attention.map(({ kind, count }) => [kind, count]))
  return new Map(shownFirst.map((kind) => [kinds[kind].to.replace(/\?.*/, ''), countOf.get(kind) ?? 0]))
}
