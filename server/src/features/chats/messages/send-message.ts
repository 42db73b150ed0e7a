import type { Deps } from '../../../deps.ts'
import { AppError, notFound } from '../../../errors.ts'
import { isContinuable } from '../../answering/continuation.ts'
import { resolveAssistant } from '../../assistants/resolve.ts'
import { requireMember } from '../../channels/access.ts'
import { requireOwnChat } from '../access.ts'
import { type Asking, beginReply, type Deed } from '../replies/begin-reply.ts'
import { storable } from '../replies/reply-writer.ts'
import { findMessage } from './message-store.ts'

function writable(message: string): string {
  const content = storable(message)
  if (content.trim() === '') throw new AppError('validation.failed', { message: 'A message cannot be blank' })
  return content
}

function asksWith(content: string): Deed['made'] {
  return async (_tx, _chat, known) => known.role === 'user' && known.content === content
}

function answersWith(messageId: string): Deed['made'] {
  return async (tx, chat, known) => {
    const earlier = await findMessage(tx, chat.id, messageId)
    return known.role === 'assistant' && known.parent_id === earlier?.parent_id
  }
}

/** Stores a message below the last one shown and starts the reply, which runs whether or not anyone is reading. */
export async function sendMessage(deps: Deps, asking: Asking, message: string) {
  const content = writable(message)
  return beginReply(deps, asking, {
    made: asksWith(content),
    plan: async (_tx, chat) => ({ content, parentId: chat.active_leaf_id }),
  })
}

/** Adds another version of the user's message. The messages after the earlier version stay below that version. */
export async function editMessage(deps: Deps, asking: Asking, messageId: string, message: string) {
  const content = writable(message)
  return beginReply(deps, asking, {
    made: asksWith(content),
    plan: async (tx, chat) => {
      const edited = await findMessage(tx, chat.id, messageId)
      if (!edited) throw notFound()
      if (edited.role !== 'user') throw new AppError('chat.not_a_message')
      return { content, parentId: edited.parent_id }
    },
  })
}

/** Adds another version of a reply. */
export function regenerateReply(deps: Deps, asking: Asking, messageId: string) {
  return beginReply(deps, asking, {
    made: answersWith(messageId),
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
export async function continueReply(deps: Deps, asking: Asking, messageId: string) {
  const { actor, address } = asking
  await requireOwnChat(deps, actor, address)
  const channel = await requireMember(deps.db, actor, address.channelId)
  const isAnsweredElsewhere =
    channel.use_assistant === 1 && (await resolveAssistant(deps, channel.assistant_id)).kind !== 'preset'
  const canWrite = !isAnsweredElsewhere && deps.assistant.chat !== null
  return beginReply(deps, asking, {
    made: answersWith(messageId),
    plan: async (tx, chat) => {
      const broken = await findMessage(tx, chat.id, messageId)
      if (!broken) throw notFound()
      if (!canWrite || broken.parent_id === null || !isContinuable(broken))
        throw new AppError('chat.cannot_continue')
      const question = await findMessage(tx, chat.id, broken.parent_id)
      if (!question) throw notFound()
      return { question, broken }
    },
  })
}
