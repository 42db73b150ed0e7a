import { randomInt } from 'node:crypto'
import { addDays, formatDay, startOfDay } from '@lyceum/contract/analytics'
import type { EmbeddedSignIn } from '@lyceum/contract/embedding'
import { visitorDomain } from '@lyceum/contract/wire'
import { uuidv7 } from 'uuidv7'
import type { Executor, Tx } from '#db/client.ts'
import { formatVisitorName } from '#lib/visitor-name.ts'
import type { Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { countArrival } from '../analytics/count-usage.ts'
import { audit, toAuditActor } from '../audit/append.ts'
import { keepChannelUnchanged } from '../channels/access.ts'
import { issueSignIn, requireEmbeddedChannel } from './sign-ins.ts'
import { findVisitorSettings, insertVisitor, touchVisitor } from './visitor-store.ts'

/** New visitors of a channel in a day (UTC). */
export const arrivalsPerDay = 2000
/** A sign-in of a visitor ends when the visitor is deleted, and after this time at the latest. */
const longestVisit = 365 * 24 * 3_600_000

/** Without vowels, so that they spell no words, and without letters that look like digits. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'

function createName(): string {
  return formatVisitorName(Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join(''))
}

async function requireArrivalsLeft(tx: Tx, channelId: string, now: number): Promise<void> {
  if ((await countArrival(tx, channelId, now)) <= arrivalsPerDay) return
  const tomorrow = startOfDay(addDays(formatDay(now), 1))
  throw new AppError('embedding.visitor_limit', { retryAfter: Math.ceil((tomorrow - now) / 1000) })
}

/**
 * Lets a user without an account chat in the channel on another site. All refusals are the same, so that they do not tell
 * which channels exist.
 */
export async function visit(
  deps: Deps,
  client: Client,
  channelId: string,
  site: string,
): Promise<EmbeddedSignIn> {
  const now = deps.now()
  const expiresAt = now + longestVisit
  const id = uuidv7()
  const visitor = { id, name: createName(), email: '' }
  const token = await deps.db.transaction().execute(async (tx) => {
    await keepChannelUnchanged(tx, channelId)
    const channel = await requireEmbeddedChannel(tx, channelId)
    if (!channel.allowsVisitors || !channel.sites.includes(site)) throw notFound()
    await insertVisitor(tx, { id, channelId, name: visitor.name, email: `${id}@${visitorDomain}`, now })
    // Only the audit log keeps where a visitor comes from.
    const issued = await issueSignIn(deps, tx, {
      user: visitor,
      channelId,
      site,
      expiresAt,
      client: { ip: '', userAgent: '' },
      session: null,
    })
    await requireArrivalsLeft(tx, channelId, now)
    await audit(deps, tx, {
      actor: toAuditActor(visitor, client),
      action: 'embedding.signed-in',
      object: { type: 'channel', id: channelId, name: channel.name },
      after: { site },
    })
    return issued
  })
  return {
    token,
    expiresAt: new Date(expiresAt).toISOString(),
    user: { _id: id, name: visitor.name, email: null },
  }
}

export interface VisitorLimits {
  messagesPerDay: number
  /** Of all visitors of the channel together. */
  channelMessagesPerDay: number
}

/** The limits of a visitor; null for everyone else. */
export async function findVisitorLimits(db: Executor, userId: string): Promise<VisitorLimits | null> {
  const settings = await findVisitorSettings(db, userId)
  if (!settings) return null
  return {
    messagesPerDay: settings.visitor_messages_per_day ?? 0,
    channelMessagesPerDay: settings.channel_visitor_messages_per_day ?? 0,
  }
}

/** Call it in the transaction that accepts a visitor's message, with the visitor locked. */
export function recordVisitorMessage(tx: Tx, visitorId: string, now: number): Promise<void> {
  return touchVisitor(tx, visitorId, now)
}
