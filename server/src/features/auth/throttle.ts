import type { Client } from '../../client.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { clearCounter, countFailure, readCounter } from './store.ts'

const window = 15 * 60_000
/** Failures from one address before it must wait for the window to pass. */
const failuresPerAddress = 30
/** Failures for one e-mail from one address before each further try has to wait. */
const freeTries = 5
const longestWait = 60_000

/** IPv6 hands whole networks to one subscriber, so they count as one. */
const network = (ip: string): string => (ip.includes(':') ? ip.split(':').slice(0, 4).join(':') : ip)

const keysOf = ({ secrets }: Deps, email: string, { ip }: Client) => ({
  address: `ip|${network(ip)}`,
  // Keyed by a hash and kept for unknown addresses too, so that neither the table nor the waiting tells who exists.
  pair: `pair|${secrets.keyedHash('sign-in', email)}|${network(ip)}`,
})

const refuse = (waitMs: number): never => {
  throw new AppError('rate.limited', { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) })
}

/** Throws while this caller has to wait. */
export const checkSignInAllowed = async (deps: Deps, email: string, client: Client): Promise<void> => {
  const now = deps.now()
  const keys = keysOf(deps, email, client)
  const address = await readCounter(deps.db, keys.address)
  if (
    address &&
    address.failures >= failuresPerAddress * deps.env.RATE_LIMIT_SCALE &&
    address.window_started_at > now - window
  )
    refuse(address.window_started_at + window - now)
  const pair = await readCounter(deps.db, keys.pair)
  if (!pair || pair.failures < freeTries || pair.window_started_at <= now - window) return
  const wait = Math.min(longestWait, 1000 * 2 ** (pair.failures - freeTries))
  const left = pair.last_failure_at + wait - now
  if (left > 0 && left <= longestWait) refuse(left)
}

export const recordSignIn = async (
  deps: Deps,
  email: string,
  client: Client,
  succeeded: boolean,
): Promise<void> => {
  const keys = keysOf(deps, email, client)
  if (succeeded) return clearCounter(deps.db, keys.pair)
  await countFailure(deps.db, keys.address, deps.now(), window)
  await countFailure(deps.db, keys.pair, deps.now(), window)
}
