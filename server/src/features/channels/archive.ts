import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { audit } from '../audit/append.ts'
import { requireLockedChannel, requireVisibleChannel } from './access.ts'
import { updateChannel } from './store.ts'

/**
 * Nothing can be added to an archived channel, and only its administrators find it in lists. Replies that are being
 * written are completed.
 */
export function setArchived(deps: Deps, actor: Actor, id: string, isArchived: boolean) {
  return deps.db.transaction().execute(async (tx) => {
    await requireVisibleChannel(tx, actor, id)
    // Waits for messages and uploads that were accepted before. Later ones find the channel archived.
    const { name, archived_at } = await requireLockedChannel(tx, id)
    if ((archived_at !== null) !== isArchived) {
      const now = deps.now()
      await updateChannel(tx, id, { archived_at: isArchived ? now : null, updated_at: now })
      await audit(deps, tx, {
        actor,
        action: isArchived ? 'channel.archived' : 'channel.restored',
        object: { type: 'channel', id, name },
      })
    }
    return { message: isArchived ? `“${name}” is archived` : `“${name}” is in use again` }
  })
}
