import { uuidv7 } from 'uuidv7'
import type { Executor, Tx } from '#db/client.ts'
import type { Deps } from '../../deps.ts'
import { deleteAttempts, insertAttempt, listNewestAttempts, lockAttempts } from './attempt-store.ts'

interface AttemptLimit {
  count: number
  /** In milliseconds. */
  window: number
}

/** An action with a limited number of attempts, counted exactly across all nodes. */
export interface AttemptRule {
  /** Name of the action. The stored key adds what the limit applies to, such as a user or an invitation. */
  action: string
  limits: readonly AttemptLimit[]
}

function buildKey(action: string, subject: string): string {
  return `${action}|${subject}`
}

/** Counts one attempt and returns 0, or counts nothing and returns the milliseconds to wait. */
export async function countAttempt(
  { env, now }: Pick<Deps, 'env' | 'now'>,
  tx: Tx,
  { action, limits }: AttemptRule,
  subject: string,
): Promise<number> {
  const key = buildKey(action, subject)
  const at = now()
  await lockAttempts(tx, key)
  for (const { count, window } of limits) {
    const limit = Math.max(1, Math.floor(count * env.RATE_LIMIT_SCALE))
    const recent = await listNewestAttempts(tx, key, at - window, limit)
    const oldest = recent.at(-1)
    if (recent.length >= limit && oldest !== undefined) return Math.max(1, oldest + window - at)
  }
  await insertAttempt(tx, { id: uuidv7(), key, at })
  return 0
}

/** Clears the attempts of `subject`. */
export function clearAttempts(db: Executor, { action }: AttemptRule, subject: string): Promise<void> {
  return deleteAttempts(db, buildKey(action, subject))
}
