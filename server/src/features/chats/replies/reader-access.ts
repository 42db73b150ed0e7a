import { batchCalls } from '#lib/batch-calls.ts'
import type { Actor } from '../../../actor.ts'
import type { Deps } from '../../../deps.ts'
import { listActiveSessionIds } from '../../auth/authenticate.ts'
import { findReachableChats } from '../store.ts'

/** How long a check waits for those of other readers. */
const batchMs = 250

interface Reader {
  actor: Actor
  /** A chat of the actor. */
  chatId: string
}

/** Whether each reader's session or key, membership and chat still exist. */
export async function checkReaders(deps: Deps, readers: readonly Reader[]): Promise<boolean[]> {
  const [reachable, signedIn] = await Promise.all([
    findReachableChats(
      deps.db,
      readers.map(({ chatId }) => chatId),
    ),
    listActiveSessionIds(
      deps,
      readers.flatMap(({ actor }) => (actor.isKeyActive === null ? [actor] : [])),
    ),
  ])
  return Promise.all(
    readers.map(async ({ actor: { sessionId, isKeyActive }, chatId }) => {
      if (!reachable.has(chatId)) return false
      return isKeyActive === null ? signedIn.has(sessionId) : isKeyActive()
    }),
  )
}

const checks = new WeakMap<Deps, (reader: Reader) => Promise<boolean>>()

/** Whether a reader of a reply may read on. Readers check this every few seconds: a few queries answer all of them. */
export function canStillFollow(deps: Deps, reader: Reader): Promise<boolean> {
  const check =
    checks.get(deps) ?? batchCalls(batchMs, (readers: readonly Reader[]) => checkReaders(deps, readers))
  checks.set(deps, check)
  return check(reader)
}
