import type { Permission } from '@lyceum/contract/permissions'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { stillMay } from './authenticate.ts'

/** How often whoever is being sent a long file is looked at again, in milliseconds. */
const lookEvery = 5_000

/** Thrown into a file that is being written: its reader sees it break off. */
export class RightLost extends Error {}

/**
 * Asked before each piece of a file that is written while it is sent. It throws once the session has ended or the
 * right was taken away, or where `also` does, which is asked as often.
 */
export function rightKeeper(
  deps: Deps,
  actor: Actor,
  flag: Permission,
  also: (now: number) => Promise<void> = async () => undefined,
): () => Promise<void> {
  let lookedAt = deps.now()
  return async () => {
    const now = deps.now()
    if (Math.abs(now - lookedAt) < lookEvery) return
    if (!(await stillMay(deps, actor, flag))) throw new RightLost('The right to this file was taken away')
    await also(now)
    lookedAt = now
  }
}
