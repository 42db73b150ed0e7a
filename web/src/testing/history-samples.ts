import type { HistoryDetail, HistoryItem } from '@lyceum/contract/chat-history'

/** A chat as listed in the chat history. */
export function aHistory(change: Partial<HistoryItem> = {}): HistoryItem {
  return {
    _id: 'chat-1',
    user: { _id: 'user-1', name: 'Ada Example', email: 'ada@example.com' },
    channel: { _id: 'channel-1', name: 'Physics' },
    title: 'What falls',
    messageCount: 4,
    createdAt: '2026-11-20T09:00:00.000Z',
    updatedAt: '2026-11-21T10:00:00.000Z',
    ...change,
  }
}

export function aHistoryPage(chatHistories: HistoryItem[], total = chatHistories.length, limit = 20) {
  return {
    chatHistories,
    total,
    totalPages: Math.ceil(total / limit),
  }
}

export function aHistoryDetail(change: Partial<HistoryDetail> = {}): HistoryDetail {
  return {
    ...aHistory(),
    messages: [
      { _id: 'm1', role: 'user', content: 'Why do things fall?', timestamp: '2026-11-20T09:00:00.000Z' },
      {
        _id: 'm2',
        role: 'assistant',
        content: 'Because of **gravity**.',
        timestamp: '2026-11-20T09:00:05.000Z',
        state: 'complete',
      },
    ],
    before: null,
    ...change,
  }
}
