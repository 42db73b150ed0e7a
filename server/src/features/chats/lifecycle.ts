import type { Deps } from '../../deps.ts'
import type { LifecycleHooks } from '../../lifecycle.ts'
import { deleteMatchingChats } from './delete-chats.ts'
import { stopAffectedReplies } from './replies/reply-manager.ts'

export const chatsLifecycle: LifecycleHooks<Deps> = {
  onAccessLost: stopAffectedReplies,
  onChannelDeleting: (_deps, tx, channelId) => deleteMatchingChats(tx, { channelId }),
  onUserDeleting: (_deps, tx, userId) => deleteMatchingChats(tx, { userId }),
}
