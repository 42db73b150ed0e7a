import type { Permission } from '@lyceum/contract/permissions'
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

/** The name and the version of the document that the event names; null if it names none. */
export function describeDocument({ documentName, documentVersion }: WebhookDelivery): string | null {
  if (documentName === null || documentVersion === null) return documentName
  return `${documentName}, version ${documentVersion}`
}

interface DeliveryLink {
  to: string
  permission: Permission
  label: string
}

/** Where administrators with the permission see what the event is about. */
export function getDeliveryLink(delivery: WebhookDelivery): DeliveryLink | null {
  const { event, documentName, channelId, chatId } = delivery
  const search = new URLSearchParams()
  switch (event) {
    case 'document.pending':
    case 'document.approved':
    case 'document.index-failed':
      if (documentName === null) return null
      if (event !== 'document.pending') search.set('status', 'approved')
      if (channelId !== null) search.set('channelId', channelId)
      search.set('search', documentName)
      return { to: `/admin/documents?${search}`, permission: 'canManageDocuments', label: 'View document' }
    case 'reply.flagged':
      if (chatId === null) return null
      return {
        to: `/admin/chat-history/${encodeURIComponent(chatId)}`,
        permission: 'canViewChatHistory',
        label: 'View chat',
      }
    case 'question.unanswered':
      search.set('tab', 'questions')
      if (channelId !== null) search.set('channelId', channelId)
      return { to: `/admin/analytics?${search}`, permission: 'canViewAnalytics', label: 'View questions' }
  }
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
