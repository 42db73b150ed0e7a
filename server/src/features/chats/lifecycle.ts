import type { Deps } from '../../deps.ts'
import type { LifecycleHooks } from '../../lifecycle.ts'
import { deleteChatsOf } from './delete-chats.ts'
import { stopRepliesOf } from './replies/reply-manager.ts'

export const chatsLifecycle: LifecycleHooks<Deps> = {
  accessLost: stopRepliesOf,
  channelDeleting: (_deps, tx, channelId) => deleteChatsOf(tx, { channelId }),
  userDeleting: (_deps, tx, userId) => deleteChatsOf(tx, { userId }),
}
