import { type ConversationSettings, noticeDefault } from '@lyceum/contract/conversations'
import type { PartStatus, SystemStatus } from '@lyceum/contract/status'

export const aConversation = (change: Partial<ConversationSettings> = {}): ConversationSettings => ({
  reviewNotice: { enabled: true, text: noticeDefault },
  retention: { days: null },
  ...change,
})

export const aPart = (change: Partial<PartStatus> = {}): PartStatus => ({
  part: 'mail',
  state: 'ok',
  words: 'Letters are sent.',
  facts: [
    { label: 'Letters go to', kind: 'text', value: 'mail.example.org' },
    { label: 'Last sent', kind: 'time', value: null },
    { label: 'Waiting', kind: 'count', value: 1200 },
  ],
  ...change,
})

export const aStatus = (change: Partial<SystemStatus> = {}): SystemStatus => ({
  version: '1.2.3',
  at: '2026-11-21T09:00:00.000Z',
  parts: [aPart()],
  jobs: { waiting: 2, running: 0, failed: 0, failures: [] },
  ...change,
})
