import { randomUUID } from 'node:crypto'
import type { ChatShare } from '@lyceum/contract/shared-chats'
import type { Actor } from '../../../actor.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, notFound } from '../../../errors.ts'
import { audit } from '../../audit/append.ts'
import { type ChatAddress, requireOwnChat } from '../access.ts'
import { findMessage } from '../messages/message-store.ts'
import { type ChatRow, lockOwnChat } from '../store.ts'
import { updateShare } from './share-store.ts'

function presentShare({ share_id, share_leaf_id, shared_at, active_leaf_id }: ChatRow): ChatShare | null {
  if (share_id === null) return null
  return {
    shareId: share_id,
    sharedAt: new Date(shared_at ?? 0).toISOString(),
    isOutdated: share_leaf_id !== active_leaf_id,
  }
}

export async function getShare(deps: Deps, actor: Actor, address: ChatAddress) {
  return { share: presentShare(await requireOwnChat(deps, actor, address)) }
}

/**
 * Shares the title and the messages that the chat shows now. Later changes stay private until the owner shares again. The link
 * stays the same, and its id is random: only those who get the link can open it.
 */
export function shareChat(deps: Deps, actor: Actor, { channelId, chatId }: ChatAddress): Promise<ChatShare> {
  return deps.db.transaction().execute(async (tx) => {
    const chat = await lockOwnChat(tx, actor.userId, channelId, chatId)
    if (!chat) throw notFound()
    if (chat.active_leaf_id === null) throw new AppError('chat.nothing_to_share')
    const last = await findMessage(tx, chat.id, chat.active_leaf_id)
    if (last?.state === 'streaming') throw new AppError('chat.not_finished')
    const share = {
      share_id: chat.share_id ?? randomUUID(),
      share_leaf_id: chat.active_leaf_id,
      share_title: chat.title,
      shared_at: deps.now(),
    }
    await updateShare(tx, chat.id, share)
    await audit(deps, tx, {
      actor,
      action: 'chat.shared',
      object: { type: 'chat', id: chat.id },
      after: { channelId },
    })
    const shared = presentShare({ ...chat, ...share })
    if (!shared) throw new Error('presentShare returned nothing for a shared chat')
    return shared
  })
}

/** Does nothing if the chat is not shared. */
export function revokeShare(deps: Deps, actor: Actor, { channelId, chatId }: ChatAddress) {
  return deps.db.transaction().execute(async (tx) => {
    const chat = await lockOwnChat(tx, actor.userId, channelId, chatId)
    if (!chat) throw notFound()
    if (chat.share_id !== null) {
      await updateShare(tx, chat.id, {
        share_id: null,
        share_leaf_id: null,
        share_title: null,
        shared_at: null,
      })
      await audit(deps, tx, {
        actor,
        action: 'chat.share-revoked',
        object: { type: 'chat', id: chat.id },
        after: { channelId },
      })
    }
    return { message: 'The chat is no longer shared' }
  })
}
