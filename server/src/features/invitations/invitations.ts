import type { InvitationVerification } from '@lyceum/contract/invitations'
import type { Tx } from '#db/client.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { tokenHash } from '../../secrets.ts'
import { findByTokenHash, type InvitationRow, markAccepted } from './store.ts'

const tokenForm = /^[A-Za-z0-9_-]{43}$/

/**
 * The pending invitation behind a link. Cancelled and unknown links read the same; only who holds a link learns
 * that it was used or has expired.
 */
export const openInvitation = async (deps: Deps, token: string): Promise<InvitationRow> => {
  const found = tokenForm.test(token) ? await findByTokenHash(deps.db, tokenHash(token)) : undefined
  if (!found) throw new AppError('invitation.invalid')
  if (found.status === 'accepted') throw new AppError('invitation.used')
  if (found.expires_at <= deps.now()) throw new AppError('invitation.expired')
  return found
}

export const verifyInvitation = async (deps: Deps, token: string): Promise<InvitationVerification> => {
  const invitation = await openInvitation(deps, token)
  return {
    email: invitation.email,
    fullName: invitation.full_name,
    twoFactorExpiryEnabled: invitation.two_factor_enabled === 1,
    twoFactorExpiryDays: invitation.two_factor_days,
    isSetup: invitation.is_setup === 1,
  }
}

export const acceptInvitation = async (tx: Tx, invitation: InvitationRow, now: number): Promise<void> => {
  if (!(await markAccepted(tx, invitation.id, invitation.token_hash, now)))
    throw new AppError('invitation.used')
}
