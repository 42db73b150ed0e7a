import type { ChatMessage, ReplyEvent } from '@lyceum/contract/chats'

const timestamp = '2026-11-20T10:00:00.000Z'

export function aQuestion(id: string, change: Partial<ChatMessage> = {}): ChatMessage {
  return {
    _id: id,
    role: 'user',
    content: `Question ${id}`,
    timestamp,
    status: 'read',
    ...change,
  }
}

export function aReply(id: string, change: Partial<ChatMessage> = {}): ChatMessage {
  return {
    _id: id,
    role: 'assistant',
    content: `Reply ${id}`,
    timestamp,
    state: 'complete',
    ...change,
  }
}

/** The first event of a reply’s stream. */
export function acceptedEvent(id: string, content = ''): ReplyEvent {
  return {
    seq: 1,
    type: 'accepted',
    message: null,
    reply: aReply(id, { content, state: 'streaming' }),
  }
}

/** An event stream that waits for the test to send more events. Ends after a `done` or `error` event. */
export function openEventStream(...initial: ReplyEvent[]) {
  const queue: ReplyEvent[] = [...initial]
  let wake: () => void = () => undefined
  async function* events() {
    while (true) {
      const next = queue.shift()
      if (next === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      yield next
      if (next.type === 'done' || next.type === 'error') return
    }
  }
  return {
    events: events(),
    send: (...more: ReplyEvent[]): void => {
      queue.push(...more)
      wake()
    },
  }
}
