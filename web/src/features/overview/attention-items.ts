import { attentionMaximum, type Overview } from '@lyceum/contract/overview'
import { assistantFieldPath, uploadPath } from '#lib/channel-paths.ts'
import { failedDocumentsPath, withoutVectorsPath } from '#lib/document-paths.ts'
import { withFailureTime } from '#lib/failure-time.ts'
import { partTitles } from '#lib/part-titles.ts'
import { modelSettingsPath, statusPathOf } from '#lib/settings-paths.ts'

type AttentionKind = Overview['attention'][number]['kind']

/** `99+` when the server stopped counting. */
export function formatAttentionCount(count: number): string {
  return count >= attentionMaximum ? `${attentionMaximum - 1}+` : String(count)
}

const kinds: Record<AttentionKind, { to: string; one: string; many: string }> = {
  'channels-without-model': {
    to: modelSettingsPath,
    one: 'channel cannot reply because no model is connected',
    many: 'channels cannot reply because no model is connected',
  },
  'channels-without-assistant': {
    to: '/admin/channels',
    one: 'channel cannot reply because its assistant does not exist',
    many: 'channels cannot reply because their assistants do not exist',
  },
  'channels-without-documents': {
    to: '/admin/channels',
    one: 'channel has no documents to answer from',
    many: 'channels have no documents to answer from',
  },
  'pending-documents': {
    to: '/admin/documents',
    one: 'document is waiting for approval',
    many: 'documents are waiting for approval',
  },
  'failed-documents': {
    to: failedDocumentsPath,
    one: 'approved document could not be indexed',
    many: 'approved documents could not be indexed',
  },
  'documents-without-vectors': {
    to: withoutVectorsPath,
    one: 'document still needs vectors, because the embedding server failed',
    many: 'documents still need vectors, because the embedding server failed',
  },
  'expired-invitations': {
    to: '/admin/users#invitations',
    one: 'invitation has expired',
    many: 'invitations have expired',
  },
  'unanswered-questions': {
    to: '/admin/analytics?tab=questions',
    one: 'unanswered question is open',
    many: 'unanswered questions are open',
  },
}

/** What the navigation counts and links to. */
const countedKinds: readonly AttentionKind[] = [
  'pending-documents',
  'expired-invitations',
  'unanswered-questions',
]

function findChannelPath(kind: AttentionKind, channelId: string): string {
  return kind === 'channels-without-documents' ? uploadPath(channelId) : assistantFieldPath(channelId)
}

interface AttentionItem {
  key: string
  to: string
  text: string
}

/** One line for each item that needs attention, with a link to it. */
export function listAttentionItems({ attention, parts }: Overview): AttentionItem[] {
  return [
    ...parts.map(({ part, ...trouble }) => ({
      key: part,
      to: statusPathOf(part),
      text: `${partTitles[part]}: ${withFailureTime(trouble)}`,
    })),
    ...attention.map(({ kind, count, channelId }) => {
      const { one, many } = kinds[kind]
      const to = channelId === undefined ? kinds[kind].to : findChannelPath(kind, channelId)
      return { key: kind, to, text: `${formatAttentionCount(count)} ${count === 1 ? one : many}` }
    }),
  ]
}

interface AreaAttention {
  count: number
  /** The part of the page that shows what is counted. */
  to: string
}

/**
 * How much waits on the page of each navigation link. What waits in another view of that page, such as a filter, is only
 * listed on the admin home. Pages where nothing waits are left out.
 */
export function getAttentionByPath(overview: Overview | undefined): Map<string, AreaAttention> {
  const items = overview?.attention ?? []
  return new Map(
    items
      .filter(({ kind, count }) => count > 0 && countedKinds.includes(kind))
      .map(({ kind, count }) => {
        const { to } = kinds[kind]
        return [to.replace(/[?#].*/, ''), { count, to }]
      }),
  )
}
