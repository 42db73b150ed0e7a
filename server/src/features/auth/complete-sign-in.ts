import type { SessionUser } from '@lyceum/contract/auth'
import type { Tx } from '#db/client.ts'
import { queueEmail } from '#mail/send-mail.ts'
import type { Browser, Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { audit, doerOf } from '../audit/append.ts'
import { keepKnownBrowser, rememberBrowser } from './known-browsers.ts'
import { openSession, presentSession } from './sessions.ts'
import { newSignInEmail } from './sign-in-mails.ts'
import { recordSignIn, type SessionRow, type UserRow } from './store.ts'

export interface Visitor {
  client: Client
  browser: Browser
}

/** A completed sign-in. The response is built from it after the commit. */
export interface Entry {
  user: UserRow
  session: SessionRow
  knownToken: string
}

/** Performs the steps common to all sign-ins, with or without a code. */
export async function completeSignIn(
  deps: Deps,
  tx: Tx,
  user: UserRow,
  { client, browser }: Visitor,
  opening: { method: SessionRow['method']; browserId: string | null },
): Promise<Entry> {
  await recordSignIn(tx, user.id, deps.now())
  const session = await openSession(deps, tx, user, client, opening)
  const { token, wasKnown } = await rememberBrowser(deps, tx, user.id, browser)
  // Users need no email about their first sign-in.
  if (!wasKnown && user.last_seen_at !== null)
    await queueEmail(deps, tx, {
      to: { address: user.email, name: user.name },
      content: newSignInEmail(deps.env.PUBLIC_URL, client, deps.now()),
      expiresAt: null,
    })
  await audit(deps, tx, {
    actor: doerOf(user, client, session.id),
    action: 'sign-in.ok',
    after: { method: opening.method, newBrowser: !wasKnown },
  })
  return { user, session, knownToken: token }
}

export function presentEntry(
  deps: Deps,
  browser: Browser,
  { user, session, knownToken }: Entry,
): Promise<{ token: string; user: SessionUser }> {
  keepKnownBrowser(browser, knownToken)
  return presentSession(deps, user, session)
}
