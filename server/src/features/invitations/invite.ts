import { errors } from '@lyceum/contract/errors'
import type {
  Invitation,
  InvitationInput,
  InvitationResult,
  InvitationsInput,
} from '@lyceum/contract/invitations'
import { uuidv7 } from 'uuidv7'
import type { Tx } from '#db/client.ts'
import { randomToken, tokenHash } from '#keys/secrets.ts'
import { queueEmail } from '#mail/send-mail.ts'
import { type Actor, requirePermission } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { scopeIdempotencyKey } from '../../idempotency-key.ts'
import { audit } from '../audit/append.ts'
import { type AttemptRule, countAttempt } from '../auth/attempts.ts'
import { canSeeChannels } from '../channels/access.ts'
import { findChannelNames } from '../channels/channel-names.ts'
import { createInvitationEmail } from './invitation-email.ts'
import { presentInvitation } from './present.ts'
import {
  deleteExpired,
  findByIdempotencyKey,
  findInvitation,
  type InvitationWithInviter,
  insertInvitation,
  isEmailRegistered,
  isInvited,
  lockInvitationEmail,
  replaceLink,
} from './store.ts'

const hour = 3_600_000
const day = 24 * hour
const lifetime = 7 * day

const inviteRule: AttemptRule = { action: 'invite', limits: [{ count: 200, window: hour }] }
const resendRule: AttemptRule = { action: 'resend-invitation', limits: [{ count: 5, window: day }] }

function toSeconds(ms: number): number {
  return Math.ceil(ms / 1000)
}

async function requireInvitation(tx: Tx, id: string): Promise<InvitationWithInviter> {
  const found = await findInvitation(tx, id)
  if (!found) throw notFound()
  return found
}

function createLink({ env }: Deps, token: string): string {
  return `${env.PUBLIC_URL}/register?token=${token}`
}

/** Queues the email in the transaction that creates the link. Deleted channels are not mentioned. */
async function queueInvitationEmail(
  deps: Deps,
  tx: Tx,
  actor: Actor,
  invitation: InvitationWithInviter,
  token: string,
): Promise<void> {
  const channels = await findChannelNames(tx, JSON.parse(invitation.allowed_channels) as string[])
  await queueEmail(deps, tx, {
    to: { address: invitation.email, name: invitation.full_name },
    content: createInvitationEmail({
      inviter: actor,
      fullName: invitation.full_name,
      channelNames: [...channels.values()],
      link: createLink(deps, token),
      expiresAt: invitation.expires_at,
    }),
    expiresAt: invitation.expires_at,
  })
}

/** Without a mail server, only this response contains the link, so that the inviter can pass it on. */
function toResponse(deps: Deps, invitation: InvitationWithInviter, token: string): Invitation {
  return {
    ...presentInvitation(invitation, deps.now()),
    ...(deps.mail.delivers ? {} : { link: createLink(deps, token) }),
  }
}

/** Requires an address without a user and without a pending invitation. Deletes an expired invitation. */
async function requireUnusedEmail(tx: Tx, email: string, now: number): Promise<void> {
  if (await isEmailRegistered(tx, email)) throw new AppError('user.exists')
  if (await isInvited(tx, email, now)) throw new AppError('invitation.exists')
  await deleteExpired(tx, email, now)
}

/** Users can grant access only to channels that they can see themselves. */
async function requireVisibleChannels(tx: Tx, actor: Actor, ids: readonly string[]): Promise<void> {
  if (!(await canSeeChannels(tx, actor, ids))) throw new AppError('user.invalid_access')
}

/** Inviting an administrator takes the permissions that promoting a user takes. */
function requireInviter(actor: Actor, { role }: Pick<InvitationInput, 'role'>): void {
  requirePermission(actor, 'canManageUsers')
  if (role === 'admin') requirePermission(actor, 'canEditUsers')
}

interface NewInvitation {
  input: InvitationInput
  token: string
  idempotencyKey: string | null
}

async function insertNewInvitation(
  deps: Deps,
  tx: Tx,
  actor: Actor,
  { input, token, idempotencyKey }: NewInvitation,
): Promise<InvitationWithInviter> {
  const now = deps.now()
  const channels = [...new Set(input.allowedChannels)]
  await requireUnusedEmail(tx, input.email, now)
  await requireVisibleChannels(tx, actor, channels)
  const wait = await countAttempt(deps, tx, inviteRule, actor.userId)
  if (wait > 0) throw new AppError('rate.limited', { retryAfter: toSeconds(wait) })
  const id = uuidv7()
  await insertInvitation(tx, {
    id,
    email: input.email,
    full_name: input.fullName,
    token_hash: tokenHash(token),
    status: 'pending',
    is_setup: 0,
    invited_by: actor.userId,
    role: input.role ?? 'user',
    allowed_channels: JSON.stringify(channels),
    two_factor_days: input.twoFactorExpiryDays,
    two_factor_enabled: input.twoFactorExpiryEnabled ? 1 : 0,
    created_at: now,
    expires_at: now + lifetime,
    accepted_at: null,
    idempotency_key: idempotencyKey,
  })
  return requireInvitation(tx, id)
}

/** Creates the invitation, queues its email and counts it for the inviter’s rate limit, all in one transaction. */
export async function invite(
  deps: Deps,
  actor: Actor,
  input: InvitationInput,
  clientKey: string | null,
): Promise<Invitation> {
  requireInviter(actor, input)
  const token = randomToken()
  const idempotencyKey = scopeIdempotencyKey(clientKey, actor.userId)
  return deps.db.transaction().execute(async (tx) => {
    await lockInvitationEmail(tx, input.email, idempotencyKey)
    const earlier = idempotencyKey && (await findByIdempotencyKey(tx, idempotencyKey))
    // The repeated response has no link, because only the hash of the token is stored.
    if (earlier) return presentInvitation(earlier, deps.now())
    const created = await insertNewInvitation(deps, tx, actor, { input, token, idempotencyKey })
    await queueInvitationEmail(deps, tx, actor, created, token)
    await audit(deps, tx, {
      actor,
      action: 'invitation.created',
      object: { type: 'invitation', id: created.id, name: created.email },
      after: {
        fullName: created.full_name,
        role: created.role,
        allowedChannels: JSON.parse(created.allowed_channels),
        twoFactorExpiryEnabled: created.two_factor_enabled === 1,
        twoFactorExpiryDays: created.two_factor_days,
      },
    })
    return toResponse(deps, created, token)
  })
}

/**
 * Invites several users. Each invitation is stored for itself, so an address that is refused does not stop the others,
 * and a repeated request with the same key creates none twice.
 */
export async function inviteSeveral(
  deps: Deps,
  actor: Actor,
  { invitees, ...shared }: InvitationsInput,
  clientKey: string | null,
): Promise<{ results: InvitationResult[] }> {
  requireInviter(actor, shared)
  if (!(await canSeeChannels(deps.db, actor, shared.allowedChannels)))
    throw new AppError('user.invalid_access')
  const results: InvitationResult[] = []
  for (const invitee of invitees) {
    const key = clientKey && `${clientKey}:${invitee.email}`
    try {
      const invitation = await invite(deps, actor, { ...invitee, ...shared }, key)
      results.push({ email: invitee.email, invitation, refusal: null })
    } catch (error) {
      if (!(error instanceof AppError) || errors[error.code].status >= 500) throw error
      results.push({ email: invitee.email, invitation: null, refusal: error.message })
    }
  }
  return { results }
}

/** Sends a new link with the full lifetime. The previous link stops working at once. */
export async function resendInvitation(deps: Deps, actor: Actor, id: string): Promise<Invitation> {
  requirePermission(actor, 'canManageUsers')
  const token = randomToken()
  return deps.db.transaction().execute(async (tx) => {
    const now = deps.now()
    const link = { token_hash: tokenHash(token), expires_at: now + lifetime }
    const isReplaced = await replaceLink(tx, id, link, now)
    const invitation = await requireInvitation(tx, id)
    if (!isReplaced) throw new AppError('invitation.not_pending')
    const wait = await countAttempt(deps, tx, resendRule, id)
    if (wait > 0) throw new AppError('invitation.limit', { retryAfter: toSeconds(wait) })
    await queueInvitationEmail(deps, tx, actor, invitation, token)
    await audit(deps, tx, {
      actor,
      action: 'invitation.resent',
      object: { type: 'invitation', id, name: invitation.email },
    })
    return toResponse(deps, invitation, token)
  })
}
