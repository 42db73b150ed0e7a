import type { ChatMessage, Conversation } from '@lyceum/contract/chats'
import { type Branch, isRunning, type Turn } from './turns/activity.ts'

/** What is loaded of a chat: its last messages, and above them as much as has been scrolled to. */
export interface Thread {
  title: string | null
  /** Oldest first. */
  messages: ChatMessage[]
  /** Where the messages above begin; null when the first one is here. */
  before: string | null
}

/** A reloaded last page under the older messages that are already here. */
export function withLastPage(thread: Thread | undefined, page: Conversation): Thread {
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

export function withOlderPage(thread: Thread, page: Conversation): Thread {
  const known = new Set(thread.messages.map(({ _id }) => _id))
  const older = page.messages.filter(({ _id }) => !known.has(_id))
  return { ...thread, messages: [...older, ...thread.messages], before: page.before }
}

/** Puts a message in its place, or at the end when it is new. */
export function withMessage(thread: Thread, message: ChatMessage): Thread {
  const isKnown = thread.messages.some(({ _id }) => _id === message._id)
  const messages = isKnown
    ? thread.messages.map((known) => (known._id === message._id ? message : known))
    : [...thread.messages, message]
  return { ...thread, messages }
}

function placeIn(messages: readonly ChatMessage[], id: string): number {
  const place = messages.findIndex(({ _id }) => _id === id)
  return place === -1 ? messages.length : place
}

/** Without a message and what follows it. */
export function cutBefore(thread: Thread, id: string): Thread {
  return {
    ...thread,
    messages: thread.messages.slice(0, placeIn(thread.messages, id)),
  }
}

/** Another version in the place of a message, with what follows it; null when the page does not reach up to it. */
export function withVersion(
  thread: Thread,
  { from, to, page }: { from: string; to: string; page: Conversation },
): Thread | null {
  const place = page.messages.findIndex(({ _id }) => _id === to)
  const kept = cutBefore(thread, from)
  if (place === -1 || kept.messages.length === thread.messages.length) return null
  return { ...kept, title: page.title, messages: [...kept.messages, ...page.messages.slice(place)] }
}

export function withFeedback(thread: Thread, id: string, given: ChatMessage['feedback']): Thread {
  return {
    ...thread,
    messages: thread.messages.map((message) => {
      if (message._id !== id) return message
      const { feedback: _, ...rest } = message
      return given === undefined ? rest : { ...rest, feedback: given }
    }),
  }
}

export interface ShownPath {
  messages: readonly ChatMessage[]
  /** The new words of a message that is being edited, as long as it is on its way. */
  question: Branch['question']
}

/** The messages as a turn changes them before the server has: what gives way is not shown meanwhile. */
export function pathDuring(messages: readonly ChatMessage[], turn: Turn | null): ShownPath {
  const branch = turn !== null && isRunning(turn) ? turn.branch : null
  const place = branch === null ? -1 : messages.findIndex(({ _id }) => _id === branch.messageId)
  if (branch === null || place === -1) return { messages, question: null }
  const end = branch.kind === 'continue' ? place + 1 : place
  return {
    messages: end === messages.length ? messages : messages.slice(0, end),
    question: branch.question,
  }
}

/** The question above a reply has been read as soon as the reply begins. */
export function withQuestionRead(thread: Thread, replyId: string): Thread {
  const place = thread.messages.findIndex(({ _id }) => _id === replyId)
  const question = thread.messages[place - 1]
  if (question?.role !== 'user' || question.status === 'read') return thread
  return withMessage(thread, { ...question, status: 'read' })
}
