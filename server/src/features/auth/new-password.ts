import type { Tx } from '#db/client.ts'
import { queueEmail } from '#mail/send-mail.ts'
import type { Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { createPasswordChangedEmail } from './password-emails.ts'
import { setPasswordHash } from './password-store.ts'
import { type KeptAccess, revokeAccess } from './revoke.ts'
import type { UserRow } from './store.ts'
import { clearFailures } from './throttle.ts'

interface NewPassword {
  hash: string
  client: Client
  kept?: KeptAccess
}

/** Stores a new password, ends other access and emails the user. The caller has locked the row. */
export async function applyNewPassword(
  deps: Deps,
  tx: Tx,
  user: UserRow,
  { hash, client, kept = {} }: NewPassword,
): Promise<void> {
  await setPasswordHash(tx, user.id, hash)
  await revokeAccess(tx, user.id, kept)
  await clearFailures(deps, tx, user.email)
  await queueEmail(deps, tx, {
    to: { address: user.email, name: user.name },
    content: createPasswordChangedEmail(deps.env.PUBLIC_URL, client, deps.now()),
    expiresAt: null,
  })
}
