import { expiryDaysDefault } from '@lyceum/contract/two-factor'
import { uuidv7 } from 'uuidv7'
import { randomToken, tokenHash } from '#keys/secrets.ts'
import type { Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { audit } from '../audit/append.ts'
import { hasUsers } from '../auth/sign-in.ts'
import { deleteSetupInvitations, insertInvitation } from './store.ts'

const lifetime = 3_600_000

/**
 * Creates a setup link for the first user and invalidates earlier ones; null when a user exists. Without a mail server,
 * two-factor authentication is off for this user, so that setup needs no email.
 */
export async function createSetupLink(
  deps: Pick<Deps, 'env' | 'db' | 'now'> & Partial<Pick<Deps, 'log'>>,
  client?: Client,
): Promise<string | null> {
  const id = uuidv7()
  const token = randomToken()
  const now = deps.now()
  const isCreated = await deps.db.transaction().execute(async (tx) => {
    if (await hasUsers(tx)) return false
    await deleteSetupInvitations(tx)
    await insertInvitation(tx, {
      id,
      email: deps.env.OWNER_EMAIL ?? '',
      full_name: '',
      token_hash: tokenHash(token),
      status: 'pending',
      is_setup: 1,
      invited_by: null,
      allowed_channels: '[]',
      two_factor_days: expiryDaysDefault,
      two_factor_enabled: deps.env.SMTP_URL ? 1 : 0,
      created_at: now,
      expires_at: now + lifetime,
      accepted_at: null,
    })
    await audit(deps, tx, {
      actor: null,
      ...(client ? { client } : {}),
      action: 'invitation.created',
      object: { type: 'invitation', id, ...(deps.env.OWNER_EMAIL ? { name: deps.env.OWNER_EMAIL } : {}) },
      after: { isSetup: true },
    })
    return true
  })
  return isCreated ? `${deps.env.PUBLIC_URL}/register?token=${token}` : null
}
