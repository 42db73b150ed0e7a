import type { Tx } from '#db/client.ts'
import { getNetwork } from '#lib/network.ts'
import type { BrowserCookies, Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import {
  clearCounters,
  lockCounters,
  readCounter,
  runCountInTurn,
  saveCounter,
  undoFailures,
} from './counter-store.ts'
import { findKnownBrowser } from './known-browsers.ts'

const second = 1000
const minute = 60 * second
const quarterHour = 15 * minute

/** Maximum failures from one network. */
const maxPerMinute = 10
const maxPerQuarterHour = 30
/** Failures for one email address from one network before each further attempt has to wait. */
const freeAttempts = 5
const maxWait = minute
/**
 * Failures for one email address from anywhere within 15 minutes. Beyond it, the address is in the slow lane: attempts
 * within `slowLanePause` of the last failure are muted.
 */
const maxPerEmail = 10
const slowLanePause = 30 * second
/** Failures in a row for one email address. Beyond this number, only a known browser or a new password works. */
const maxInARow = 100
/** Failures within 15 minutes of a browser in which the user has signed in before. */
const maxPerKnownBrowser = 10

const day = 24 * 60 * minute
/**
 * The kinds of counters, and how long each is kept after its last failure. Pausing for a day must not give an
 * attacker another hundred attempts at an address.
 */
export const counterRetention = {
  'network-minute': day,
  'network-quarter': day,
  pair: day,
  email: day,
  known: day,
  row: 30 * day,
} as const

/** One attempt, counted as a failure until it succeeds. */
export interface Admission {
  /** Answered like a wrong password, even if the password is correct. */
  isMuted: boolean
  countedKeys: readonly string[]
  /** Locked in this order before any of the counters is written, so that attempts cannot deadlock. */
  locks: readonly string[]
  /** Counters that a correct password resets. */
  clearedKeys: readonly string[]
}

type ThrottleDeps = Pick<Deps, 'env' | 'secrets' | 'now'>

function countInTurn<R>({ db }: Deps, work: (tx: Tx) => Promise<R>): Promise<R> {
  return runCountInTurn(() => db.transaction().execute(work))
}

/** Keys are hashed and also stored for unknown addresses: neither the table nor the wait may reveal who has an account. */
function createCounterKey(
  { secrets }: ThrottleDeps,
  kind: keyof typeof counterRetention,
  subject: string,
): string {
  return `${kind}|${secrets.keyedHash('sign-in', subject)}`
}

function scaleLimit({ env }: ThrottleDeps, count: number): number {
  return Math.max(1, Math.floor(count * env.RATE_LIMIT_SCALE))
}

/** Remaining milliseconds of a wait; 0 if it starts in the future because the clock was set back. */
function getRemainingWait(wait: number, from: number, now: number): number {
  return from <= now ? Math.max(0, from + wait - now) : 0
}

/** The current counter: empty if there is none or its window has passed. */
async function readCurrentCounter(tx: Tx, key: string, window: number | null, now: number) {
  const counter = await readCounter(tx, key)
  return counter && (window === null || getRemainingWait(window, counter.window_started_at, now) > 0)
    ? counter
    : { key, failures: 0, window_started_at: now, last_failure_at: 0 }
}

type Counter = Awaited<ReturnType<typeof readCurrentCounter>>

async function countFailures(tx: Tx, counters: readonly Counter[], now: number): Promise<string[]> {
  for (const counter of counters)
    await saveCounter(tx, { ...counter, failures: counter.failures + 1, last_failure_at: now })
  return counters.map(({ key }) => key)
}

function requireNoWait(wait: number): void {
  if (wait > 0) throw new AppError('rate.limited', { retryAfter: Math.ceil(wait / second) })
}

/** Admits a browser that the user has used before. Failures elsewhere do not slow it down. */
async function admitKnownBrowser(
  deps: ThrottleDeps,
  tx: Tx,
  email: string,
  browserHash: string,
): Promise<Admission> {
  const now = deps.now()
  const key = createCounterKey(deps, 'known', `${email}|${browserHash}`)
  await lockCounters(tx, [key])
  const own = await readCurrentCounter(tx, key, quarterHour, now)
  if (own.failures >= scaleLimit(deps, maxPerKnownBrowser))
    requireNoWait(getRemainingWait(quarterHour, own.window_started_at, now))
  return {
    isMuted: false,
    countedKeys: await countFailures(tx, [own], now),
    locks: [createCounterKey(deps, 'email', email), key],
    clearedKeys: [key, createCounterKey(deps, 'row', email)],
  }
}

async function admitUnknownBrowser(
  deps: ThrottleDeps,
  tx: Tx,
  email: string,
  network: string,
): Promise<Admission> {
  const now = deps.now()
  const emailKey = createCounterKey(deps, 'email', email)
  const networkKey = createCounterKey(deps, 'network-quarter', network)
  const locks = [networkKey, emailKey]
  await lockCounters(tx, locks)
  const inMinute = await readCurrentCounter(
    tx,
    createCounterKey(deps, 'network-minute', network),
    minute,
    now,
  )
  const inQuarterHour = await readCurrentCounter(tx, networkKey, quarterHour, now)
  const pair = await readCurrentCounter(
    tx,
    createCounterKey(deps, 'pair', `${email}|${network}`),
    quarterHour,
    now,
  )
  if (inMinute.failures >= scaleLimit(deps, maxPerMinute))
    requireNoWait(getRemainingWait(minute, inMinute.window_started_at, now))
  if (inQuarterHour.failures >= scaleLimit(deps, maxPerQuarterHour))
    requireNoWait(getRemainingWait(quarterHour, inQuarterHour.window_started_at, now))
  const excess = pair.failures - scaleLimit(deps, freeAttempts)
  if (excess >= 0)
    requireNoWait(getRemainingWait(Math.min(maxWait, second * 2 ** excess), pair.last_failure_at, now))

  const perEmail = await readCurrentCounter(tx, emailKey, quarterHour, now)
  const inARow = await readCurrentCounter(tx, createCounterKey(deps, 'row', email), null, now)
  const isMuted =
    inARow.failures >= scaleLimit(deps, maxInARow) ||
    (perEmail.failures >= scaleLimit(deps, maxPerEmail) &&
      getRemainingWait(slowLanePause, perEmail.last_failure_at, now) > 0)
  // A muted attempt tells the client nothing, so it must not extend the slow lane for the next one.
  const counters = isMuted
    ? [inMinute, inQuarterHour, pair]
    : [inMinute, inQuarterHour, pair, perEmail, inARow]
  return {
    isMuted,
    countedKeys: await countFailures(tx, counters, now),
    locks,
    clearedKeys: [pair.key, inARow.key],
  }
}

/**
 * Throws while the client has to wait. The attempt is counted here, before the password is verified, so that
 * concurrent requests get no extra attempts.
 */
export async function admitSignIn(
  deps: Deps,
  email: string,
  client: Client,
  browser: BrowserCookies,
): Promise<Admission> {
  const known = await findKnownBrowser(deps, email, browser)
  return countInTurn(deps, (tx) =>
    known
      ? admitKnownBrowser(deps, tx, email, known)
      : admitUnknownBrowser(deps, tx, email, getNetwork(client.ip)),
  )
}

/** Clears the counters after a correct password. */
export function recordCorrectPassword(
  deps: Deps,
  { countedKeys, locks, clearedKeys }: Admission,
): Promise<void> {
  return countInTurn(deps, async (tx) => {
    await lockCounters(tx, locks)
    await undoFailures(
      tx,
      countedKeys.filter((key) => !clearedKeys.includes(key)),
    )
    await clearCounters(tx, clearedKeys)
  })
}

/** Undoes the attempt if the password could not be verified, which is not the fault of the client. */
export function undoAttempt(deps: Deps, { countedKeys, locks }: Admission): Promise<void> {
  return countInTurn(deps, async (tx) => {
    await lockCounters(tx, locks)
    await undoFailures(tx, countedKeys)
  })
}

/** After a password reset, earlier guesses no longer count against the address. */
export async function clearFailures(deps: Deps, tx: Tx, email: string): Promise<void> {
  const emailKey = createCounterKey(deps, 'email', email)
  await lockCounters(tx, [emailKey])
  await clearCounters(tx, [emailKey, createCounterKey(deps, 'row', email)])
}
