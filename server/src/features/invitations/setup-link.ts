import { expiryDaysDefault } from '@lyceum/contract/two-factor'
import { uuidv7 } from 'uuidv7'
import type { Deps } from '../../deps.ts'
import { randomToken, tokenHash } from '../../secrets.ts'
import { hasUsers } from '../auth/auth.ts'
import { deleteSetupInvitations, insertInvitation } from './store.ts'

const lifetime = 3_600_000

/**
 * A fresh link for the first person as long as there is none; earlier ones stop working. Without a mail server the
 * second factor is off for them, so that set-up needs no mail.
 */
export const makeSetupLink = async (deps: Pick<Deps, 'env' | 'db' | 'now'>): Promise<string | null> => {
  const token = randomToken()
  const now = deps.now()
  const isMade = await deps.db.transaction().execute(async (tx) => {
    if (await hasUsers(tx)) return false
    await deleteSetupInvitations(tx)
    await insertInvitation(tx, {
      id: uuidv7(),
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
    return true
  })
  return isMade ? `${deps.env.PUBLIC_URL}/register?token=${token}` : null
}
