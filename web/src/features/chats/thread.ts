import type { ChatMessage, Conversation } from '@lyceum/contract/chats'

/** What is loaded of a chat: its last messages, and above them as much as has been scrolled to. */
export interface Thread {
  title: string | null
  /** Oldest first. */
  messages: ChatMessage[]
  /** Where the messages above begin; null when the first one is here. */
  before: string | null
}

/** A reloaded last page under the older messages that are already here. */
export const withLastPage = (thread: Thread | undefined, page: Conversation): Thread => {
  const fresh: Thread = { title: page.title, messages: page.messages, before: page.before }
  const first = page.messages[0]
  if (thread === undefined || first === undefined) return fresh
  const seam = thread.messages.findIndex(({ _id }) => _id === first._id)
  // More has been written elsewhere than a page holds: what is in between is not known.
  if (seam <= 0) return fresh
  return {
    title: page.title,
    messages: [...thread.messages.slice(0, seam), ...page.messages],
    before: thread.before,
  }
}

export const withOlderPage = (thread: Thread, page: Conversation): Thread => {
  const known = new Set(thread.messages.map(({ _id }) => _id))
  const older = page.messages.filter(({ _id }) => !known.has(_id))
  return { ...thread, messages: [...older, ...thread.messages], before: page.before }
}

/** Puts a message in its place, or at the end when it is new. */
export const withMessage = (thread: Thread, message: ChatMessage): Thread => {
  const isKnown = thread.messages.some(({ _id }) => _id === message._id)
  const messages = isKnown
    ? thread.messages.map((known) => (known._id === message._id ? message : known))
    : [...thread.messages, message]
  return { ...thread, messages }
}

export const withoutMessage = (thread: Thread, id: string): Thread => ({
  ...thread,
  messages: thread.messages.filter(({ _id }) => _id !== id),
})

/** The question above a reply has been read as soon as the reply begins. */
export const withQuestionRead = (thread: Thread, replyId: string): Thread => {
  const place = thread.messages.findIndex(({ _id }) => _id === replyId)
  const question = thread.messages[place - 1]
  if (question?.role !== 'user' || question.status === 'read') return thread
  return withMessage(thread, { ...question, status: 'read' })
}
