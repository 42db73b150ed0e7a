import { type EmbeddedSignIn, embeddedSignInHours } from '@lyceum/contract/embedding'
import { uuidv7 } from 'uuidv7'
import type { Executor, Tx } from '#db/client.ts'
import { tokenHash } from '#keys/secrets.ts'
import type { Actor, Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { audit } from '../audit/append.ts'
import { createEmbeddedToken } from '../auth/embedded-token.ts'
import { signOut } from '../auth/own-sessions.ts'
import { keepChannelUnchanged, requireMember } from '../channels/access.ts'
import { requireLockedUser } from '../users/access.ts'
import { parseSites } from './settings.ts'
import { deleteOldestSignIns, findEmbeddedChannel, insertSignIn, lockSession } from './store.ts'

const hour = 3_600_000
/** With more, the oldest ends. */
const signInMaximum = 10

/** The sites on which a channel can be used. None if it does not exist, is archived or is not embedded. */
export async function listSites({ db }: Pick<Deps, 'db'>, channelId: string): Promise<string[]> {
  const channel = await findEmbeddedChannel(db, channelId)
  return channel ? parseSites(channel) : []
}

/** A channel that can be used on other sites. */
export async function requireEmbeddedChannel(db: Executor, channelId: string) {
  const channel = await findEmbeddedChannel(db, channelId)
  if (!channel) throw notFound()
  const sites = parseSites(channel)
  if (sites.length === 0) throw notFound()
  const { name, description, allows_visitors, starter_questions, use_assistant } = channel
  return {
    id: channelId,
    name,
    description,
    sites,
    allowsVisitors: allows_visitors === 1,
    allVisitorMessagesPerDay: channel.channel_visitor_messages_per_day,
    starter_questions,
    use_assistant,
  }
}

interface NewSignIn {
  user: { id: string }
  channelId: string
  site: string
  expiresAt: number
  client: Client
  /** The session that allows it, which ends it when the issuer of single sign-on ends both. */
  session: { identity_id: string | null; issuer_session: string | null } | null
}

/** Stores a sign-in on another site and returns its token, which is not stored. */
export async function issueSignIn(
  { now }: Pick<Deps, 'now'>,
  tx: Tx,
  { user, channelId, site, expiresAt, client, session }: NewSignIn,
): Promise<string> {
  const token = createEmbeddedToken()
  const at = now()
  await insertSignIn(tx, {
    id: uuidv7(),
    token_hash: tokenHash(token),
    user_id: user.id,
    channel_id: channelId,
    site,
    identity_id: session?.identity_id ?? null,
    issuer_session: session?.issuer_session ?? null,
    ip: client.ip,
    user_agent: client.userAgent,
    created_at: at,
    last_seen_at: at,
    expires_at: expiresAt,
  })
  await deleteOldestSignIns(tx, user.id, signInMaximum)
  return token
}

/** Lets the user chat in the channel on another site. */
export async function signInEmbedded(
  deps: Deps,
  actor: Actor,
  channelId: string,
  site: string,
): Promise<EmbeddedSignIn> {
  const expiresAt = deps.now() + embeddedSignInHours * hour
  const token = await deps.db.transaction().execute(async (tx) => {
    // Locked, so that the site cannot be removed meanwhile.
    await keepChannelUnchanged(tx, channelId)
    await requireMember(tx, actor, channelId)
    const { name, sites } = await requireEmbeddedChannel(tx, channelId)
    if (!sites.includes(site)) throw new AppError('embedding.site')
    const user = await requireLockedUser(tx, actor.userId)
    // Locked, so that ending all sessions meanwhile ends this sign-in, too.
    const session = await lockSession(tx, actor.sessionId)
    if (!session) throw new AppError('auth.session_ended')
    const issued = await issueSignIn(deps, tx, {
      user,
      channelId,
      site,
      expiresAt,
      client: actor.client,
      session,
    })
    await audit(deps, tx, {
      actor,
      action: 'embedding.signed-in',
      object: { type: 'channel', id: channelId, name },
      after: { site },
    })
    return issued
  })
  return {
    token,
    expiresAt: new Date(expiresAt).toISOString(),
    user: { _id: actor.userId, name: actor.name, email: actor.email },
  }
}

/** Ends the sign-in on another site. A session of Lyceum itself is none. */
export async function signOutEmbedded(deps: Deps, actor: Actor): Promise<void> {
  if (actor.boundChannelId === null) throw notFound()
  await signOut(deps, actor)
}
