import type { SessionUser } from '@lyceum/contract/auth'
import type { Tx } from '#db/client.ts'
import { queueEmail } from '#mail/send-mail.ts'
import type { BrowserCookies, Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { audit, toAuditActor } from '../audit/append.ts'
import { rememberBrowser, setKnownBrowserCookie } from './known-browsers.ts'
import { openSession, presentSession, type SessionOrigin } from './sessions.ts'
import { createNewSignInEmail } from './sign-in-emails.ts'
import { recordSignIn, type SessionRow, type UserRow } from './store.ts'

export interface RequestOrigin {
  client: Client
  browser: BrowserCookies
}

/** A completed sign-in. The response is built from it after the commit. */
export interface SignInResult {
  user: UserRow
  session: SessionRow
  knownBrowserToken: string
}

/** Performs the steps common to all sign-ins, with or without a code. */
export async function completeSignIn(
  deps: Deps,
  tx: Tx,
  user: UserRow,
  { client, browser }: RequestOrigin,
  sessionOrigin: SessionOrigin,
): Promise<SignInResult> {
  await recordSignIn(tx, user.id, deps.now())
  const session = await openSession(deps, tx, user, client, sessionOrigin)
  const { token, wasKnown } = await rememberBrowser(deps, tx, user.id, browser)
  // Users need no email about their first sign-in.
  if (!wasKnown && user.last_seen_at !== null)
    await queueEmail(deps, tx, {
      to: { address: user.email, name: user.name },
      content: createNewSignInEmail(deps.env.PUBLIC_URL, client, deps.now()),
      expiresAt: null,
    })
  await audit(deps, tx, {
    actor: toAuditActor(user, client, session.id),
    action: 'sign-in.ok',
    after: { method: sessionOrigin.method, newBrowser: !wasKnown },
  })
  return { user, session, knownBrowserToken: token }
}

export function presentSignIn(
  deps: Deps,
  browser: BrowserCookies,
  { user, session, knownBrowserToken }: SignInResult,
): Promise<{ token: string; user: SessionUser }> {
  setKnownBrowserCookie(browser, knownBrowserToken)
  return presentSession(deps, user, session)
}
