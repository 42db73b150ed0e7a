import type { Invitation } from '@lyceum/contract/invitations'
import type { InvitationWithInviter } from './store.ts'

/** `expired` is not stored but derived from the server’s clock. */
function getStatus({ status, expires_at }: InvitationWithInviter, now: number): Invitation['status'] {
  return status === 'pending' && expires_at <= now ? 'expired' : status
}

export function presentInvitation(row: InvitationWithInviter, now: number): Invitation {
  return {
    _id: row.id,
    email: row.email,
    fullName: row.full_name,
    status: getStatus(row, now),
    invitedBy: row.inviter_id === null ? null : { _id: row.inviter_id, name: row.inviter_name ?? '' },
    role: row.role,
    allowedChannels: JSON.parse(row.allowed_channels) as string[],
    twoFactorExpiryEnabled: row.two_factor_enabled === 1,
    twoFactorExpiryDays: row.two_factor_days,
    expiresAt: new Date(row.expires_at).toISOString(),
    createdAt: new Date(row.created_at).toISOString(),
  }
}
