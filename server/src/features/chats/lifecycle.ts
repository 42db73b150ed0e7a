import type { Deps } from '../../deps.ts'
import type { LifecycleHooks } from '../../lifecycle.ts'
import { deleteMatchingChats } from './delete-chats.ts'
import { stopAffectedReplies } from './replies/reply-manager.ts'

export const chatsLifecycle: LifecycleHooks<Deps> = {
  onAccessLost: stopAffectedReplies,
  onChannelDeleting: (deps, tx, channelId) => deleteMatchingChats(tx, { channelId }, deps.now()),
  onUserDeleting: (deps, tx, userId) => deleteMatchingChats(tx, { userId }, deps.now()),
}
