import type { Tx } from '#db/client.ts'
import type { Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { type AuditActor, audit, toAuditActor, userObject } from '../audit/append.ts'
import { createUser } from '../auth/create-user.ts'
import { checkPasswordChoice } from '../auth/password-choice.ts'
import { isPasswordSignInOff } from '../auth/password-sign-in.ts'
import { hashPassword } from '../auth/passwords.ts'
import { hasUsers } from '../auth/sign-in.ts'
import { joinChannels } from '../channels/membership.ts'
import { createPromotionOverrides, lockInviter } from '../users/administrators.ts'
import { acceptInvitation, findUsableInvitation } from './invitations.ts'
import { findPendingByEmail, type InvitationRow } from './store.ts'

interface Registration {
  email: string
  fullName: string
  password: string
  token: string
}

/**
 * The role and permissions of the new user. An invited administrator becomes an ordinary user if the inviter can no
 * longer promote users, and never gets a permission that the inviter lacks.
 */
async function determineRole(tx: Tx, invitation: InvitationRow) {
  if (invitation.is_setup) return { role: 'admin' as const, permissionOverrides: null }
  const inviter = invitation.role === 'admin' ? await lockInviter(tx, invitation.invited_by) : null
  if (inviter === null) return { role: 'user' as const, permissionOverrides: null }
  const overrides = createPromotionOverrides(inviter, { permission_overrides: null })
  return { role: 'admin' as const, permissionOverrides: overrides }
}

interface InvitedUser {
  email: string
  name: string
  /** Empty if the user signs in without a password. */
  passwordHash: string
}

/**
 * Turns an invitation into a user; each invitation works once. Returns the user's id. The user accepts it themselves
 * unless there is an acceptor.
 */
async function createInvitedUser(
  deps: Deps,
  tx: Tx,
  invitation: InvitationRow,
  { email, name, passwordHash }: InvitedUser,
  client: Client,
  acceptor?: AuditActor,
): Promise<string> {
  await acceptInvitation(tx, invitation, deps.now())
  // Only the first user may register with a setup link, even if two try at once.
  if (invitation.is_setup && (await hasUsers(tx))) throw new AppError('invitation.invalid')
  const { role, permissionOverrides } = await determineRole(tx, invitation)
  const userId = await createUser(tx, {
    email,
    name,
    passwordHash,
    isSetup: invitation.is_setup,
    role,
    permissionOverrides,
    twoFactor: {
      twoFactorExpiryDays: invitation.two_factor_days,
      twoFactorExpiryEnabled: invitation.two_factor_enabled === 1,
    },
    now: deps.now(),
  })
  const channels = JSON.parse(invitation.allowed_channels) as string[]
  await joinChannels(tx, userId, channels, deps.now())
  const user = { id: userId, name, email }
  const actor = acceptor ?? toAuditActor(user, client)
  await audit(deps, tx, {
    actor,
    action: 'invitation.accepted',
    object: { type: 'invitation', id: invitation.id, name: email },
  })
  const withheld = Object.keys(JSON.parse(permissionOverrides ?? '{}') as object)
  await audit(deps, tx, {
    actor,
    action: 'user.created',
    object: userObject(user),
    after: {
      email,
      role,
      isSystemAdmin: invitation.is_setup === 1,
      channels,
      ...(role === invitation.role || invitation.is_setup ? {} : { invitedAs: invitation.role }),
      ...(withheld.length > 0 ? { withheld } : {}),
    },
  })
  return userId
}

/** Registers with the link of an invitation and a password. */
export async function register(
  deps: Deps,
  { email, fullName, password, token }: Registration,
  client: Client,
) {
  const invitation = await findUsableInvitation(deps, token)
  if (invitation.email !== '' && invitation.email !== email) throw new AppError('invitation.email_mismatch')
  if (!invitation.is_setup && (await isPasswordSignInOff(deps.db)))
    throw new AppError('auth.password_unavailable')
  await checkPasswordChoice(deps, password, { email, name: fullName })
  const passwordHash = await hashPassword(password)
  await deps.db
    .transaction()
    .execute((tx) => createInvitedUser(deps, tx, invitation, { email, name: fullName, passwordHash }, client))
  return { message: 'Your registration is complete' }
}

/**
 * Accepts the pending invitation of an address that an issuer has confirmed, which proves as much as the link does.
 * Returns the id of the new user; null if the address has not been invited.
 */
export async function acceptByEmail(
  deps: Deps,
  tx: Tx,
  email: string,
  client: Client,
): Promise<string | null> {
  const invitation = await findPendingByEmail(tx, email, deps.now())
  if (!invitation) return null
  const user = { email, name: invitation.full_name, passwordHash: '' }
  return createInvitedUser(deps, tx, invitation, user, client)
}

/**
 * Accepts the pending invitation of an address for a directory, which vouches for it. Returns the id of the new user;
 * null if the address has not been invited. An administrator has to accept an invitation themselves.
 */
export async function acceptForDirectory(
  deps: Deps,
  tx: Tx,
  email: string,
  actor: AuditActor,
): Promise<string | null> {
  const invitation = await findPendingByEmail(tx, email, deps.now())
  if (!invitation) return null
  if (invitation.role === 'admin' || invitation.is_setup)
    throw new AppError('scim.uniqueness', {
      message: 'This address is invited as an administrator, who must accept the invitation first',
    })
  const user = { email, name: invitation.full_name, passwordHash: '' }
  return createInvitedUser(deps, tx, invitation, user, actor.client, actor)
}
