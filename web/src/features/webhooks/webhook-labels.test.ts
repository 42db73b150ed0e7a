import type { WebhookDelivery } from '@lyceum/contract/webhooks'
import { expect, it } from 'vitest'
import { getDeliveryLink, shortenAddress } from './webhook-labels.ts'

it.each([
  ['https://desk.example.org', 'https://desk.example.org'],
  ['https://desk.example.org:8443/hooks/lyceum?token=secret', 'https://desk.example.org:8443/hooks/lyceum'],
  ['https://hooks.example.com/services/T0000/B0000/abcdefghijkl', 'https://hooks.example.com/services/…ijkl'],
  ['https://hooks.example.com/0123456789abcdef0123456789', 'https://hooks.example.com/…6789'],
])('shortens %s to %s', (address, short) => {
  expect(shortenAddress(address)).toBe(short)
})

const delivery: WebhookDelivery = {
  ...{ _id: 'delivery-1', event: 'document.pending', state: 'delivered', attempts: 1, error: null },
  ...{ nextAttemptAt: null, documentName: 'Rules & more', documentVersion: 1, channelName: 'Handbook' },
  ...{ channelId: 'channel-1', chatId: null, createdAt: '2026-11-20T10:00:00.000Z' },
}

it.each<[Partial<WebhookDelivery>, string | undefined]>([
  [{}, '/admin/documents?channelId=channel-1&search=Rules+%26+more'],
  [{ event: 'document.approved', channelId: null }, '/admin/documents?status=approved&search=Rules+%26+more'],
  [{ event: 'document.index-failed', documentName: null }, undefined],
  [{ event: 'reply.flagged', chatId: 'chat-1' }, '/admin/chat-history/chat-1'],
  [{ event: 'reply.flagged' }, undefined],
  [{ event: 'question.unanswered' }, '/admin/analytics?tab=questions&channelId=channel-1'],
])('links the event %j to %s', (change, path) => {
  expect(getDeliveryLink({ ...delivery, ...change })?.to).toBe(path)
})
