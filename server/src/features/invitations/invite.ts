import type { Invitation, InvitationInput } from '@lyceum/contract/invitations'
import { uuidv7 } from 'uuidv7'
import type { Tx } from '#db/client.ts'
import { randomToken, tokenHash } from '#keys/secrets.ts'
import { queueEmail } from '#mail/send-mail.ts'
import { type Actor, requirePermission } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { audit } from '../audit/append.ts'
import { type AttemptRule, spendAttempt } from '../auth/attempts.ts'
import { seesChannels } from '../channels/access.ts'
import { invitationEmail } from './invitation-letter.ts'
import { presentInvitation } from './present.ts'
import {
  deleteExpired,
  findByIdempotencyKey,
  findInvitation,
  insertInvitation,
  isInvited,
  isUsersAddress,
  lockInviting,
  namesOfChannels,
  replaceLink,
  type ShownInvitation,
} from './store.ts'

const hour = 3_600_000
const day = 24 * hour
const lifetime = 7 * day

const inviting: AttemptRule = { deed: 'invite', limits: [{ count: 50, window: hour }] }
const resending: AttemptRule = { deed: 'resend-invitation', limits: [{ count: 5, window: day }] }

function seconds(ms: number): number {
  return Math.ceil(ms / 1000)
}

async function requireInvitation(tx: Tx, id: string): Promise<ShownInvitation> {
  const found = await findInvitation(tx, id)
  if (!found) throw notFound()
  return found
}

function linkOf({ env }: Deps, token: string): string {
  return `${env.PUBLIC_URL}/register?token=${token}`
}

/** The letter with the link, as part of what makes the link; channels that are gone by now are not named. */
async function postInvitation(
  deps: Deps,
  tx: Tx,
  actor: Actor,
  invitation: ShownInvitation,
  token: string,
): Promise<void> {
  const channels = await namesOfChannels(tx, JSON.parse(invitation.allowed_channels) as string[])
  await queueEmail(deps, tx, {
    to: { address: invitation.email, name: invitation.full_name },
    content: invitationEmail({
      inviter: actor,
      fullName: invitation.full_name,
      channelNames: channels.map(({ name }) => name),
      link: linkOf(deps, token),
      expiresAt: invitation.expires_at,
    }),
    expiresAt: invitation.expires_at,
  })
}

/** Where no mail server delivers the letter, whoever invites passes the link on, and sees it this once. */
function answer(deps: Deps, invitation: ShownInvitation, token: string): Invitation {
  return {
    ...presentInvitation(invitation, deps.now()),
    ...(deps.mail.delivers ? {} : { link: linkOf(deps, token) }),
  }
}

/** An address that may be invited: nobody's yet, and with no open invitation. An expired one makes room. */
async function requireFreeAddress(tx: Tx, email: string, now: number): Promise<void> {
  if (await isUsersAddress(tx, email)) throw new AppError('user.exists')
  if (await isInvited(tx, email, now)) throw new AppError('invitation.exists')
  await deleteExpired(tx, email, now)
}

/** Nobody is invited to where the one who invites does not see. */
async function requireChannels(tx: Tx, actor: Actor, ids: readonly string[]): Promise<void> {
  if (!(await seesChannels(tx, actor, ids))) throw new AppError('user.invalid_access')
}

interface Draft {
  input: InvitationInput
  token: string
  idempotencyKey: string | null
}

async function insertDraft(
  deps: Deps,
  tx: Tx,
  actor: Actor,
  { input, token, idempotencyKey }: Draft,
): Promise<ShownInvitation> {
  const now = deps.now()
  const channels = [...new Set(input.allowedChannels)]
  await requireFreeAddress(tx, input.email, now)
  await requireChannels(tx, actor, channels)
  const wait = await spendAttempt(deps, tx, inviting, actor.userId)
  if (wait > 0) throw new AppError('rate.limited', { retryAfter: seconds(wait) })
  const id = uuidv7()
  await insertInvitation(tx, {
    id,
    email: input.email,
    full_name: input.fullName,
    token_hash: tokenHash(token),
    status: 'pending',
    is_setup: 0,
    invited_by: actor.userId,
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

/** The invitation, its letter and the count of the one who invites, all or nothing. */
export async function invite(
  deps: Deps,
  actor: Actor,
  input: InvitationInput,
  callersKey: string | null,
): Promise<Invitation> {
  requirePermission(actor, 'canManageUsers')
  const token = randomToken()
  const idempotencyKey = callersKey && `${actor.userId}:${callersKey}`
  return deps.db.transaction().execute(async (tx) => {
    await lockInviting(tx, input.email, idempotencyKey)
    const earlier = idempotencyKey && (await findByIdempotencyKey(tx, idempotencyKey))
    // Without the link: only its hash was kept.
    if (earlier) return presentInvitation(earlier, deps.now())
    const made = await insertDraft(deps, tx, actor, { input, token, idempotencyKey })
    await postInvitation(deps, tx, actor, made, token)
    await audit(deps, tx, {
      actor,
      action: 'invitation.created',
      object: { type: 'invitation', id: made.id, name: made.email },
      after: {
        fullName: made.full_name,
        allowedChannels: JSON.parse(made.allowed_channels),
        twoFactorExpiryEnabled: made.two_factor_enabled === 1,
        twoFactorExpiryDays: made.two_factor_days,
      },
    })
    return answer(deps, made, token)
  })
}

/** Another link with its full time; the one before is dead at once. */
export async function resendInvitation(deps: Deps, actor: Actor, id: string): Promise<Invitation> {
  requirePermission(actor, 'canManageUsers')
  const token = randomToken()
  return deps.db.transaction().execute(async (tx) => {
    const now = deps.now()
    const link = { token_hash: tokenHash(token), expires_at: now + lifetime }
    const isReplaced = await replaceLink(tx, id, link, now)
    const invitation = await requireInvitation(tx, id)
    if (!isReplaced) throw new AppError('invitation.not_pending')
    const wait = await spendAttempt(deps, tx, resending, id)
    if (wait > 0) throw new AppError('invitation.limit', { retryAfter: seconds(wait) })
    await postInvitation(deps, tx, actor, invitation, token)
    await audit(deps, tx, {
      actor,
      action: 'invitation.resent',
      object: { type: 'invitation', id, name: invitation.email },
    })
    return answer(deps, invitation, token)
  })
}
