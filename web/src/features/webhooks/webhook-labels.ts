import type { WebhookDelivery, WebhookEvent } from '@lyceum/contract/webhooks'
import type { Tone } from '#ui/Status.tsx'

export const eventLabels: Record<WebhookEvent, string> = {
  'document.pending': 'Document waits for approval',
  'document.approved': 'Document approved',
  'document.index-failed': 'Document could not be indexed',
  'reply.flagged': 'Reply rated as bad',
  'question.unanswered': 'Question without an answer',
}

export const deliveryLabels: Record<WebhookDelivery['state'], { label: string; tone: Tone }> = {
  waiting: { label: 'Waiting', tone: 'neutral' },
  delivered: { label: 'Delivered', tone: 'success' },
  failed: { label: 'Given up', tone: 'danger' },
}
