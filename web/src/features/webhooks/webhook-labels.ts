import type { WebhookDelivery, WebhookEvent } from '@lyceum/contract/webhooks'
import type { Tone } from '#ui/Status.tsx'

export const eventLabels: Record<WebhookEvent, string> = {
  'document.pending': 'Document waits for approval',
  'document.approved': 'Document approved',
  'document.index-failed': 'Document could not be indexed',
  'reply.flagged': 'Reply rated as bad',
  'question.unanswered': 'Question without an answer',
}

const deliveryLabels: Record<WebhookDelivery['state'], { label: string; tone: Tone }> = {
  waiting: { label: 'Waiting', tone: 'neutral' },
  delivered: { label: 'Delivered', tone: 'success' },
  failed: { label: 'Given up', tone: 'danger' },
}

export function getDeliveryLabel({ state, error }: WebhookDelivery): { label: string; tone: Tone } {
  const isFailing = state === 'waiting' && error !== null
  return isFailing ? { label: 'Failing', tone: 'danger' } : deliveryLabels[state]
}

const wholeLength = 24
const segmentLength = 16
const endLength = 4

/**
 * The address without its query, and only the beginning and the end of a long path. Paths of some products contain a
 * secret at the end, such as Slack’s: this keeps it out of screenshots. The dialog shows the whole address.
 */
export function shortenAddress(address: string): string {
  const { origin, pathname } = new URL(address)
  if (pathname === '/') return origin
  if (pathname.length <= wholeLength) return origin + pathname
  const [, first = '', ...rest] = pathname.split('/')
  const beginning = rest.length > 0 && first.length <= segmentLength ? `/${first}` : ''
  return `${origin}${beginning}/…${pathname.slice(-endLength)}`
}
