import type { HistoryTurn } from '#providers/assistant/turns.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, notFound } from '../../../errors.ts'
import { isContinuable } from '../../answering/continuation.ts'
import { resolveAssistant } from '../../assistants/resolve.ts'
import { requireMember } from '../../channels/access.ts'
import { requireOwnChat } from '../access.ts'
import { listAttachments } from '../attachments/attachment-store.ts'
import { beginReply, type ReplyPlanner, type ReplyRequest } from '../replies/begin-reply.ts'
import { toStorableText } from '../replies/reply-writer.ts'
import { findMessage } from './message-store.ts'

function requireContent(message: string): string {
  const content = toStorableText(message)
  if (content.trim() === '') throw new AppError('validation.failed', { message: 'A message cannot be blank' })
  return content
}

function matchContent(content: string, attachmentIds?: readonly string[]): ReplyPlanner['isSameRequest'] {
  return async (tx, chat, known) => {
    if (known.role !== 'user' || known.content !== content) return false
    if (attachmentIds === undefined) return true
    const sent = (await listAttachments(tx, chat.id)).filter(({ message_id }) => message_id === known.id)
    return sent.length === attachmentIds.length && sent.every(({ id }) => attachmentIds.includes(id))
  }
}

function matchVersionOf(messageId: string): ReplyPlanner['isSameRequest'] {
  return async (tx, chat, known) => {
    const earlier = await findMessage(tx, chat.id, messageId)
    return known.role === 'assistant' && known.parent_id === earlier?.parent_id
  }
}

/** Stores a message below the last one shown and starts the reply, which runs whether or not anyone is reading. */
export async function sendMessage(
  deps: Deps,
  request: ReplyRequest,
  { message, attachmentIds = [] }: { message: string; attachmentIds?: readonly string[] | undefined },
) {
  const content = requireContent(message)
  return beginReply(deps, request, {
    isSameRequest: matchContent(content, attachmentIds),
    plan: async (_tx, chat) => ({ content, parentId: chat.active_leaf_id, attachmentIds }),
  })
}

/** A question of a program, which may bring the conversation before it. */
export interface ProgramQuestion {
  question: string
  /** Earlier turns that are not stored, oldest first. Empty below an earlier reply, whose chat has them. */
  history: readonly HistoryTurn[]
  /** The reply that the question follows; null in a new chat. */
  parentId: string | null
}

/** Like `sendMessage`, but does not depend on what the chat shows. */
export function askForProgram(deps: Deps, request: ReplyRequest, input: ProgramQuestion) {
  const content = requireContent(input.question)
  const history = input.history.map((turn) => ({ ...turn, parentId: null }))
  return beginReply(deps, request, {
    isSameRequest: matchContent(content),
    plan: async () => ({
      content,
      parentId: input.parentId,
      ...(input.parentId === null ? { history } : {}),
    }),
  })
}

/** Adds another version of the user's message. The messages after the earlier version stay below that version. */
export async function editMessage(deps: Deps, request: ReplyRequest, messageId: string, message: string) {
  const content = requireContent(message)
  return beginReply(deps, request, {
    isSameRequest: matchContent(content),
    plan: async (tx, chat) => {
      const edited = await findMessage(tx, chat.id, messageId)
      if (!edited) throw notFound()
      if (edited.role !== 'user') throw new AppError('chat.not_a_message')
      return { content, parentId: edited.parent_id }
    },
  })
}

/** Adds another version of a reply. */
export function regenerateReply(deps: Deps, request: ReplyRequest, messageId: string) {
  return beginReply(deps, request, {
    isSameRequest: matchVersionOf(messageId),
    plan: async (tx, chat) => {
      const earlier = await findMessage(tx, chat.id, messageId)
      if (!earlier) throw notFound()
      if (earlier.role !== 'assistant' || earlier.parent_id === null) throw new AppError('chat.not_a_reply')
      const question = await findMessage(tx, chat.id, earlier.parent_id)
      if (!question) throw notFound()
      return { question }
    },
  })
}

/**
 * Continues an interrupted reply as another version that starts with the same text and citations. Rejects the request
 * before storing anything if the channel's assistant cannot continue a reply.
 */
export async function continueReply(deps: Deps, request: ReplyRequest, messageId: string) {
  const { actor, address } = request
  await requireOwnChat(deps, actor, address)
  const channel = await requireMember(deps.db, actor, address.channelId)
  const isUnsupportedAssistant =
    channel.use_assistant === 1 && (await resolveAssistant(deps, channel.assistant_id)).kind !== 'preset'
  const canContinue = !isUnsupportedAssistant && deps.assistant.chat !== null
  return beginReply(deps, request, {
    isSameRequest: matchVersionOf(messageId),
    plan: async (tx, chat) => {
      const interrupted = await findMessage(tx, chat.id, messageId)
      if (!interrupted) throw notFound()
      if (!canContinue || interrupted.parent_id === null || !isContinuable(interrupted))
        throw new AppError('chat.cannot_continue')
      const question = await findMessage(tx, chat.id, interrupted.parent_id)
      if (!question) throw notFound()
      return { question, interrupted }
    },
  })
}
