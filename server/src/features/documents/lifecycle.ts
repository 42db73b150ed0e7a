import type { Deps } from '../../deps.ts'
import type { LifecycleHooks } from '../../lifecycle.ts'
import { scheduleChannelFileDeletion } from './store.ts'

export const documentsLifecycle: LifecycleHooks<Deps> = {
  // The documents' rows are deleted with the channel; a job deletes their files from disk a day later.
  onChannelDeleting: (deps, tx, channelId) => scheduleChannelFileDeletion(tx, channelId, deps.now()),
  // The database already excludes these passages from every answer. If this fails, a clean-up removes them.
  onChannelDeleted: (deps, channelId) =>
    deps.passageIndex
      .dropChannel(channelId)
      .catch((error: unknown) =>
        deps.log.error({ err: error, channelId }, 'could not remove passages from the index'),
      ),
}
