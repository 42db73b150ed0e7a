import type { ChatMessage, Conversation } from '@lyceum/contract/chats'
import { type Branch, isRunning, type Turn } from './turns/activity.ts'

/** The loaded part of a chat: its last messages and the older ones that were scrolled to. */
export interface Thread {
  title: string | null
  /** Oldest first. */
  messages: ChatMessage[]
  /** The cursor for older messages; null when the first message is loaded. */
  before: string | null
}

/** Merges a reloaded last page with the older messages already loaded. */
export function withLastPage(thread: Thread | undefined, page: Conversation): Thread {
  const fresh: Thread = { title: page.title, messages: page.messages, before: page.before }
  const first = page.messages[0]
  if (thread === undefined || first === undefined) return fresh
  const overlap = thread.messages.findIndex(({ _id }) => _id === first._id)
  // More was written elsewhere than fits on a page, so the messages in between are unknown.
  if (overlap <= 0) return fresh
  return {
    title: page.title,
    messages: [...thread.messages.slice(0, overlap), ...page.messages],
    before: thread.before,
  }
}

export function withOlderPage(thread: Thread, page: Conversation): Thread {
  const known = new Set(thread.messages.map(({ _id }) => _id))
  const older = page.messages.filter(({ _id }) => !known.has(_id))
  return { ...thread, messages: [...older, ...thread.messages], before: page.before }
}

/** Replaces a message, or appends it when it is new. */
export function withMessage(thread: Thread, message: ChatMessage): Thread {
  const isKnown = thread.messages.some(({ _id }) => _id === message._id)
  const messages = isKnown
    ? thread.messages.map((known) => (known._id === message._id ? message : known))
    : [...thread.messages, message]
  return { ...thread, messages }
}

function findIndexOrEnd(messages: readonly ChatMessage[], id: string): number {
  const index = messages.findIndex(({ _id }) => _id === id)
  return index === -1 ? messages.length : index
}

/** Removes a message and everything after it. */
export function truncateAt(thread: Thread, id: string): Thread {
  return {
    ...thread,
    messages: thread.messages.slice(0, findIndexOrEnd(thread.messages, id)),
  }
}

/**
 * Replaces a message and those after it with another version and the messages that follow that version. Returns null if
 * the page does not include the version.
 */
export function withVersion(
  thread: Thread,
  { from, to, page }: { from: string; to: string; page: Conversation },
): Thread | null {
  const index = page.messages.findIndex(({ _id }) => _id === to)
  const truncated = truncateAt(thread, from)
  if (index === -1 || truncated.messages.length === thread.messages.length) return null
  return { ...truncated, title: page.title, messages: [...truncated.messages, ...page.messages.slice(index)] }
}

export function withFeedback(thread: Thread, id: string, feedback: ChatMessage['feedback']): Thread {
  return {
    ...thread,
    messages: thread.messages.map((message) => {
      if (message._id !== id) return message
      const { feedback: _, ...rest } = message
      return feedback === undefined ? rest : { ...rest, feedback }
    }),
  }
}

/** Marks the citations of documents that have been deleted. */
export function withDeletedSources(thread: Thread, documentIds: readonly string[]): Thread {
  return {
    ...thread,
    messages: thread.messages.map((message) =>
      message.citations?.some(({ documentId, available }) => available && documentIds.includes(documentId))
        ? {
            ...message,
            citations: message.citations.map((citation) =>
              documentIds.includes(citation.documentId) ? { ...citation, available: false } : citation,
            ),
          }
        : message,
    ),
  }
}

export interface ShownPath {
  messages: readonly ChatMessage[]
  /** The new text of an edited message while it is being sent. */
  question: Branch['question']
}

/** Applies a running turn: messages that it replaces are hidden before the server has stored the change. */
export function applyTurn(messages: readonly ChatMessage[], turn: Turn | null): ShownPath {
  const branch = turn !== null && isRunning(turn) ? turn.branch : null
  const index = branch === null ? -1 : messages.findIndex(({ _id }) => _id === branch.messageId)
  if (branch === null || index === -1) return { messages, question: null }
  const end = branch.kind === 'continue' ? index + 1 : index
  return {
    messages: end === messages.length ? messages : messages.slice(0, end),
    question: branch.question,
  }
}

/** Marks the question above a reply as read, once the reply begins. */
export function withQuestionRead(thread: Thread, replyId: string): Thread {
  const index = thread.messages.findIndex(({ _id }) => _id === replyId)
  const question = thread.messages[index - 1]
  if (question?.role !== 'user' || question.status === 'read') return thread
  return withMessage(thread, { ...question, status: 'read' })
}
