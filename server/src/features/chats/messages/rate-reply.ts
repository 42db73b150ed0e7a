import type { ChatMessage } from '@lyceum/contract/chats'
import type { Feedback } from '@lyceum/contract/feedback'
import type { Actor } from '../../../actor.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, notFound } from '../../../errors.ts'
import { countFeedback } from '../../analytics/count-usage.ts'
import { emitEvent } from '../../webhooks/emit.ts'
import type { MessageAddress } from '../access.ts'
import { interruptLostReplies } from '../replies/reply-manager.ts'
import { toStorableText } from '../replies/reply-writer.ts'
import { lockOwnChat } from '../store.ts'
import { deleteFeedback, findFeedback, saveFeedback } from './feedback-store.ts'
import { findMessage } from './message-store.ts'
import { presentMessages } from './present.ts'
import { findViewer } from './viewer.ts'

interface RatingInput extends Omit<Feedback, 'rating'> {
  /** Null removes the rating. */
  rating: Feedback['rating'] | null
}

/** Stores the user's rating of a reply. A later rating replaces the earlier one. */
export async function rateReply(
  deps: Deps,
  actor: Actor,
  address: MessageAddress,
  { rating, reason, comment }: RatingInput,
): Promise<ChatMessage> {
  const { channelId, chatId, messageId } = address
  await interruptLostReplies(deps, { chatId, userId: actor.userId })
  const rated = await deps.db.transaction().execute(async (tx) => {
    // Lock the chat so that the reply cannot be deleted before the rating is written.
    const chat = await lockOwnChat(tx, actor.userId, channelId, chatId)
    const reply = chat && (await findMessage(tx, chat.id, messageId))
    if (!reply) throw notFound()
    if (reply.role !== 'assistant')
      throw new AppError('chat.not_a_reply', { message: 'Only the assistant’s replies can be rated' })
    if (reply.state === 'streaming') throw new AppError('chat.not_finished')
    const now = deps.now()
    const previousRating = (await findFeedback(tx, [reply.id])).get(reply.id)?.rating ?? null
    if (rating === null) await deleteFeedback(tx, reply.id)
    else
      await saveFeedback(tx, {
        message_id: reply.id,
        rating,
        reason: rating === 'bad' ? reason : null,
        comment: toStorableText(comment),
        created_at: now,
        updated_at: now,
      })
    const ratedReply = { channelId, askedAt: reply.created_at, model: reply.actual_model }
    if (rating === 'bad' && previousRating !== 'bad')
      await emitEvent(deps, tx, {
        type: 'reply.flagged',
        channelId,
        path: `/admin/chat-history/${chat.id}`,
        data: { reply: { id: reply.id }, chat: { id: chat.id }, reason },
      })
    await countFeedback(tx, ratedReply, previousRating, rating)
    return reply
  })
  const [shown] = await presentMessages(deps, await findViewer(deps, actor, channelId), [rated])
  if (!shown) throw notFound()
  return shown
}
