import type { ChatMessage } from '@lyceum/contract/chats'
import type { SharedChat } from '@lyceum/contract/shared-chats'
import type { Actor } from '../../../actor.ts'
import type { Deps } from '../../../deps.ts'
import { notFound } from '../../../errors.ts'
import { requireMember } from '../../channels/access.ts'
import { readMessagePage } from '../chats.ts'
import { presentMessages } from '../messages/present.ts'
import { createViewer } from '../messages/viewer.ts'
import { findSharedChat, isOnPath } from './share-store.ts'

/** Leaves out what belongs to the owner: ratings, other versions, and the way to continue a reply. */
function toSharedMessage({ versions, feedback, canContinue, ...message }: ChatMessage): ChatMessage {
  return message
}

/** The reader must be a member of the channel, like the owner of the chat. */
export async function readSharedChat(
  deps: Deps,
  actor: Actor,
  { channelId, shareId }: { channelId: string; shareId: string },
  page: { limit: number; before?: string | undefined },
): Promise<SharedChat> {
  const channel = await requireMember(deps.db, actor, channelId)
  const chat = await findSharedChat(deps.db, channelId, shareId)
  if (!chat || chat.share_leaf_id === null) throw notFound()
  // A cursor on another version, or after the shared part, would show messages that are not shared.
  if (page.before !== undefined && !(await isOnPath(deps.db, chat.id, chat.share_leaf_id, page.before)))
    throw notFound()
  const shared = { id: chat.id, active_leaf_id: chat.share_leaf_id }
  const { rows, before } = await readMessagePage(deps, shared, page)
  const messages = await presentMessages(deps, { ...createViewer(actor, channel), isOwner: false }, rows)
  return {
    title: chat.share_title,
    ownerName: chat.owner_name,
    sharedAt: new Date(chat.shared_at ?? 0).toISOString(),
    messages: messages.map(toSharedMessage),
    before,
  }
}
