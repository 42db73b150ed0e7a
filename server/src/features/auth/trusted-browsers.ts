import type { TrustedBrowser } from '@lyceum/contract/auth'
import { uuidv7 } from 'uuidv7'
import type { Executor, Tx } from '#db/client.ts'
import { randomToken, tokenHash } from '#keys/secrets.ts'
import type { Actor, BrowserCookies, Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { audit } from '../audit/append.ts'
import {
  deleteBrowserSessions,
  deleteOldestTrustedBrowsers,
  deleteTrustedBrowser,
  findTrustedBrowser,
  insertTrustedBrowser,
  listTrustedBrowsers,
  type TrustedBrowserRow,
} from './browser-store.ts'
import { readBrowserToken } from './browser-token.ts'
import { describeBrowser } from './describe-browser.ts'
import { findUserById, type UserRow } from './store.ts'
import { getTwoFactorPolicy } from './two-factor-policy.ts'

const day = 86_400_000
const maxTrustedBrowsers = 10

/** One cookie per user, because users may share a browser. Its name does not reveal the user. */
function getCookieName({ secrets }: Pick<Deps, 'secrets'>, userId: string): string {
  const hash = Buffer.from(secrets.keyedHash('trusted browser', userId), 'base64url')
  return `td-${hash.toString('hex').slice(0, 12)}`
}

async function findBrowserByCookie(
  deps: Pick<Deps, 'secrets'>,
  db: Executor,
  userId: string,
  browser: BrowserCookies,
): Promise<TrustedBrowserRow | null> {
  const token = readBrowserToken(browser, getCookieName(deps, userId))
  return token ? ((await findTrustedBrowser(db, tokenHash(token), userId)) ?? null) : null
}

/** The requesting browser if it is still trusted for this user. The number of days is read each time. */
export async function getTrustedBrowser(
  deps: Pick<Deps, 'secrets' | 'now'>,
  db: Executor,
  user: UserRow,
  browser: BrowserCookies,
): Promise<TrustedBrowserRow | null> {
  const trusted = await findBrowserByCookie(deps, db, user.id, browser)
  if (!trusted || user.must_verify === 1 || trusted.epoch !== user.two_factor_epoch) return null
  const { twoFactorExpiryDays } = await getTwoFactorPolicy(db, user)
  return trusted.created_at + twoFactorExpiryDays * day > deps.now() ? trusted : null
}

/** What the browser must store after the commit to be trusted. */
interface TrustGrant {
  browserId: string
  setCookie(): void
}

/**
 * Trusts the browser in which a code was just entered. If it was trusted before, it keeps its id but gets a new secret.
 */
export async function trustBrowser(
  deps: Pick<Deps, 'secrets' | 'now'>,
  tx: Tx,
  user: UserRow,
  { client, browser }: { client: Client; browser: BrowserCookies },
): Promise<TrustGrant> {
  const earlier = await findBrowserByCookie(deps, tx, user.id, browser)
  if (earlier) await deleteTrustedBrowser(tx, user.id, earlier.id)
  const token = randomToken()
  const browserId = earlier?.id ?? uuidv7()
  const at = deps.now()
  await insertTrustedBrowser(tx, {
    id: browserId,
    token_hash: tokenHash(token),
    user_id: user.id,
    epoch: user.two_factor_epoch,
    ip: client.ip,
    user_agent: client.userAgent,
    created_at: at,
    last_used_at: at,
  })
  await deleteOldestTrustedBrowsers(tx, user.id, maxTrustedBrowsers)
  const { twoFactorExpiryDays } = await getTwoFactorPolicy(tx, user)
  return {
    browserId,
    setCookie: () => browser.setCookie(getCookieName(deps, user.id), token, twoFactorExpiryDays * 86_400),
  }
}

export async function listOwnTrustedBrowsers(
  deps: Deps,
  actor: Actor,
  browser: BrowserCookies,
): Promise<TrustedBrowser[]> {
  const user = await findUserById(deps.db, actor.userId)
  if (!user) throw new AppError('auth.session_ended')
  const trustDuration = (await getTwoFactorPolicy(deps.db, user)).twoFactorExpiryDays * day
  const rows = await listTrustedBrowsers(deps.db, {
    userId: user.id,
    epoch: user.two_factor_epoch,
    since: deps.now() - trustDuration,
  })
  const current = await findBrowserByCookie(deps, deps.db, user.id, browser)
  return rows.map((row) => ({
    _id: row.id,
    createdAt: new Date(row.created_at).toISOString(),
    lastUsedAt: new Date(row.last_used_at).toISOString(),
    expiresAt: new Date(row.created_at + trustDuration).toISOString(),
    browser: describeBrowser(row.user_agent),
    ip: row.ip,
    current: row.id === current?.id,
  }))
}

/** The next sign-in in this browser needs a code, and its sessions end. */
export function forgetTrustedBrowser(deps: Deps, actor: Actor, id: string): Promise<void> {
  return deps.db.transaction().execute(async (tx) => {
    if (!(await deleteTrustedBrowser(tx, actor.userId, id))) throw notFound()
    await deleteBrowserSessions(tx, actor.userId, id)
    await audit(deps, tx, { actor, action: 'browser.forgotten', after: { browserId: id } })
  })
}
