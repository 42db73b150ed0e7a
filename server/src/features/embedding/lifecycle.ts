import type { Deps } from '../../deps.ts'
import type { LifecycleHooks } from '../../lifecycle.ts'
import { deleteVisitorsOfChannel } from './delete-visitors.ts'

export const embeddingLifecycle: LifecycleHooks<Deps> = {
  onChannelDeleting: (_deps, tx, channelId) => deleteVisitorsOfChannel(tx, channelId),
}
