import type { EndpointShape } from '@lyceum/contract/endpoint'
import { createPeriodicCheck } from '#lib/periodic-check.ts'
import type { Actor } from '../actor.ts'

type Access = EndpointShape['access']

export interface RecheckOptions {
  /** Returns whether the session still exists and still grants this access. */
  isStillAllowed: (actor: Actor, access: Access) => Promise<boolean>
  now: () => number
}

/**
 * A handler that generates a file while sending it calls this before each piece. It throws once the session has ended
 * or the permission was revoked, which aborts the download.
 */
export function createRecheck(options: RecheckOptions, actor: Actor, access: Access): () => Promise<void> {
  return createPeriodicCheck(options.now, async () => {
    if (!(await options.isStillAllowed(actor, access)))
      throw new Error('The permission for this file was revoked')
  })
}
