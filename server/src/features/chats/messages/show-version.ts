import { type Conversation, messagePageSize } from '@lyceum/contract/chats'
import type { Actor } from '../../../actor.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, notFound } from '../../../errors.ts'
import type { MessageAddress } from '../access.ts'
import { getConversation } from '../chats.ts'
import { interruptLostReplies } from '../replies/reply-manager.ts'
import { findBusyChats } from '../replies/reply-store.ts'
import { lockOwnChat, setActivePath } from '../store.ts'
import { nameAfterQuestion } from '../titles/name-chat.ts'
import { findMessage, findNewestLeaf, type MessageRow } from './message-store.ts'
import { toPreview } from './preview.ts'

function toLastMessage({ role, content, mode, created_at }: MessageRow) {
  return {
    role: role === 'user' ? 'user' : 'assistant',
    preview: toPreview(role, content, mode),
    at: created_at,
  } as const
}

/** Switches the chat to another version of a message and the newest messages below it, on all the user's devices. */
export async function showVersion(
  deps: Deps,
  actor: Actor,
  { channelId, chatId, messageId }: MessageAddress,
): Promise<Conversation> {
  // A reply whose node died must not keep its chat busy.
  await interruptLostReplies(deps, { chatId, userId: actor.userId })
  await deps.db.transaction().execute(async (tx) => {
    const chat = await lockOwnChat(tx, actor.userId, channelId, chatId)
    const leaf = chat && (await findNewestLeaf(tx, chat.id, messageId))
    if (!leaf) throw notFound()
    if ((await findBusyChats(tx, actor.userId, deps.now())).includes(chatId)) throw new AppError('chat.busy')
    // The preview skips an empty reply, as it does when a reply fails.
    const last =
      leaf.content === '' && leaf.parent_id !== null ? await findMessage(tx, chatId, leaf.parent_id) : leaf
    await nameAfterQuestion(tx, chat, leaf)
    await setActivePath(tx, chat.id, leaf.id, toLastMessage(last ?? leaf))
  })
  return getConversation(deps, actor, { channelId, chatId }, { limit: messagePageSize })
}
