import type { Deps } from '../../deps.ts'
import type { LifecycleHooks } from '../../lifecycle.ts'
import { deleteMatchingChats } from './delete-chats.ts'
import { stopAffectedReplies } from './replies/reply-manager.ts'

export const chatsLifecycle: LifecycleHooks<Deps> = {
  accessLost: stopAffectedReplies,
  channelDeleting: (_deps, tx, channelId) => deleteMatchingChats(tx, { channelId }),
  userDeleting: (_deps, tx, userId) => deleteMatchingChats(tx, { userId }),
}
