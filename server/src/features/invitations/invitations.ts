import type { InvitationVerification } from '@lyceum/contract/invitations'
import { listMaximum } from '@lyceum/contract/wire'
import type { Tx } from '#db/client.ts'
import { tokenHash } from '#keys/secrets.ts'
import { toPage } from '#lib/page.ts'
import { type Actor, requirePermission } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { audit } from '../audit/append.ts'
import { presentInvitation } from './present.ts'
import {
  countInvitations,
  deletePending,
  findByTokenHash,
  findInvitation,
  type InvitationRow,
  listInvitations,
  markAccepted,
} from './store.ts'

const tokenPattern = /^[A-Za-z0-9_-]{43}$/

/**
 * Requires a pending invitation. Cancelled and unknown links get the same error; only the holder of a real link learns
 * that it was used or has expired.
 */
function requireUsableInvitation(found: InvitationRow | undefined, now: number): InvitationRow {
  if (!found) throw new AppError('invitation.invalid')
  if (found.status === 'accepted') throw new AppError('invitation.used')
  if (found.expires_at <= now) throw new AppError('invitation.expired')
  return found
}

export async function findUsableInvitation(deps: Deps, token: string): Promise<InvitationRow> {
  return requireUsableInvitation(
    tokenPattern.test(token) ? await findByTokenHash(deps.db, tokenHash(token)) : undefined,
    deps.now(),
  )
}

export async function verifyInvitation(deps: Deps, token: string): Promise<InvitationVerification> {
  const invitation = await findUsableInvitation(deps, token)
  return {
    email: invitation.email,
    fullName: invitation.full_name,
    twoFactorExpiryEnabled: invitation.two_factor_enabled === 1,
    twoFactorExpiryDays: invitation.two_factor_days,
    isSetup: invitation.is_setup === 1,
  }
}

/** A request that loses a race with another acceptance, a new link or a cancellation gets the error of the new state. */
export async function acceptInvitation(tx: Tx, invitation: InvitationRow, now: number): Promise<void> {
  if (await markAccepted(tx, invitation.id, invitation.token_hash, now)) return
  requireUsableInvitation(await findByTokenHash(tx, invitation.token_hash), now)
  throw new AppError('invitation.invalid')
}

interface ListQuery {
  limit?: number | undefined
  skip?: number | undefined
}

/** Newest first. Returns a page when `limit` is given, otherwise an array. */
export async function listPresentedInvitations(deps: Deps, { limit, skip }: ListQuery) {
  const rows = await listInvitations(deps.db, limit ?? listMaximum, skip ?? 0)
  const items = rows.map((row) => presentInvitation(row, deps.now()))
  if (limit === undefined) return items
  const total = await countInvitations(deps.db)
  return toPage(items, total, limit)
}

/** Cancels a pending invitation or deletes an expired one. Its link stops working at once. */
export async function removeInvitation(deps: Deps, actor: Actor, id: string): Promise<{ message: string }> {
  requirePermission(actor, 'canManageUsers')
  return deps.db.transaction().execute(async (tx) => {
    const deleted = await deletePending(tx, id)
    if (!deleted) throw (await findInvitation(tx, id)) ? new AppError('invitation.not_pending') : notFound()
    const wasPending = deleted.expires_at > deps.now()
    await audit(deps, tx, {
      actor,
      action: 'invitation.cancelled',
      object: { type: 'invitation', id, name: deleted.email },
      after: { wasExpired: !wasPending },
    })
    return { message: wasPending ? 'The invitation was cancelled' : 'The expired invitation was deleted' }
  })
}
