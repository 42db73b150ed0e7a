import type { Tx } from '#db/client.ts'

/** Who lost access: one user, either in one channel or in all channels, some users of a channel, or every member of it. */
export type LostAccess =
  | { userId: string; channelId?: string }
  | { userIds: ReadonlySet<string>; channelId: string }
  | { channelId: string }

/**
 * What a feature does when something it depends on is deleted. Channels and users call these hooks, because they must
 * not import the features that depend on them.
 */
export interface LifecycleHooks<Deps> {
  /**
   * Stops what runs for a user or in a channel, and resolves once it has ended. Called outside the transaction, so that
   * neither waits for the other's locks.
   */
  onAccessLost?(deps: Deps, lost: LostAccess): Promise<void>
  /** Called in the transaction that deletes the channel, after its row is locked. */
  onChannelDeleting?(deps: Deps, tx: Tx, channelId: string): Promise<void>
  /** Called after that transaction. A failure here must not fail the deletion. */
  onChannelDeleted?(deps: Deps, channelId: string): Promise<void>
  /**
   * Called in the transaction that deletes the user, after the row is locked. Not called if the user is only
   * anonymized.
   */
  onUserDeleting?(deps: Deps, tx: Tx, userId: string): Promise<void>
}

/** Runs the hooks of all features, one after another. Generic because `Deps` itself holds the lifecycle. */
export type Lifecycle<Deps> = Required<LifecycleHooks<Deps>>

/** `features` is in locking order: chats are locked before documents. */
export function createLifecycle<Deps>(features: readonly LifecycleHooks<Deps>[]): Lifecycle<Deps> {
  return {
    async onAccessLost(deps, lost) {
      for (const hooks of features) await hooks.onAccessLost?.(deps, lost)
    },
    async onChannelDeleting(deps, tx, channelId) {
      for (const hooks of features) await hooks.onChannelDeleting?.(deps, tx, channelId)
    },
    async onChannelDeleted(deps, channelId) {
      for (const hooks of features) await hooks.onChannelDeleted?.(deps, channelId)
    },
    async onUserDeleting(deps, tx, userId) {
      for (const hooks of features) await hooks.onUserDeleting?.(deps, tx, userId)
    },
  }
}
