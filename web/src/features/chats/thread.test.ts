import type { ChatMessage, Conversation } from '@lyceum/contract/chats'
import { describe, expect, it } from 'vitest'
import { type Thread, withLastPage, withOlderPage, withQuestionRead } from './thread.ts'

function message(id: string, role: ChatMessage['role'] = 'user'): ChatMessage {
  return {
    _id: id,
    role,
    content: id,
    timestamp: '2026-11-20T10:00:00.000Z',
  }
}

function page(ids: string[], before: string | null): Conversation {
  return {
    chatId: 'c',
    title: null,
    messages: ids.map((id) => message(id)),
    before,
    total: 99,
  }
}

function thread(ids: string[], before: string | null): Thread {
  return {
    title: null,
    messages: ids.map((id) => message(id)),
    before,
  }
}

function idsOf({ messages }: Thread): string[] {
  return messages.map(({ _id }) => _id)
}

describe('withLastPage', () => {
  it('keeps the older messages above it', () => {
    const next = withLastPage(thread(['1', '2', '3', '4'], null), page(['3', '4', '5'], '3'))
    expect(idsOf(next)).toEqual(['1', '2', '3', '4', '5'])
    expect(next.before).toBeNull()
  })

  it('drops the older messages when the pages do not overlap', () => {
    const next = withLastPage(thread(['1', '2'], null), page(['8', '9'], '8'))
    expect(idsOf(next)).toEqual(['8', '9'])
    expect(next.before).toBe('8')
  })

  it('returns the page alone for a chat that was emptied or never loaded', () => {
    expect(idsOf(withLastPage(thread(['1'], null), page([], null)))).toEqual([])
    expect(idsOf(withLastPage(undefined, page(['1'], null)))).toEqual(['1'])
  })
})

describe('withOlderPage', () => {
  it('adds the page above without duplicates', () => {
    const next = withOlderPage(thread(['3', '4'], '3'), page(['1', '2', '3'], null))
    expect(idsOf(next)).toEqual(['1', '2', '3', '4'])
    expect(next.before).toBeNull()
  })
})

describe('withQuestionRead', () => {
  it('marks only the question above the reply as read', () => {
    const unread = { ...thread(['q0', 'q1'], null) }
    unread.messages = [...unread.messages, message('r1', 'assistant')]
    const read = withQuestionRead(unread, 'r1')
    expect(read.messages.map(({ status }) => status)).toEqual([undefined, 'read', undefined])
    expect(withQuestionRead(read, 'r1')).toBe(read)
    expect(withQuestionRead(read, 'gone')).toBe(read)
  })
})
