import { uuidv7 } from 'uuidv7'
import * as z from 'zod'
import type { Tx } from '#db/client.ts'
import { defineJob } from '#jobs/define-job.ts'
import { randomToken, tokenHash } from '#keys/secrets.ts'
import { queueEmail } from '#mail/send-mail.ts'
import type { Deps } from '../../deps.ts'
import { audit, userObject } from '../audit/append.ts'
import { createResetEmail } from './password-emails.ts'
import { canResetPassword } from './password-sign-in.ts'
import { insertReset } from './password-store.ts'
import { deleteUnusedResets } from './revoke-store.ts'
import { findUserByEmail, lockUnchangedUser, type UserRow } from './store.ts'

const minute = 60_000
const linkLifetime = 30 * minute

const requestSchema = z.object({
  email: z.string(),
  at: z.number(),
  client: z.object({ ip: z.string(), userAgent: z.string() }),
})
type ResetRequest = z.output<typeof requestSchema>

/** Creates the user's only valid link and voids earlier ones. Null if the account has just changed. */
export async function createResetLink(
  { env, now }: Pick<Deps, 'env' | 'now'>,
  tx: Tx,
  user: UserRow,
  expiresAt = now() + linkLifetime,
): Promise<string | null> {
  // Lock the user so that concurrent requests leave only one valid link.
  if (!(await lockUnchangedUser(tx, user))) return null
  await deleteUnusedResets(tx, user.id)
  const token = randomToken()
  await insertReset(tx, {
    id: uuidv7(),
    token_hash: tokenHash(token),
    user_id: user.id,
    created_at: now(),
    expires_at: expiresAt,
    used_at: null,
  })
  return `${env.PUBLIC_URL}/reset-password?token=${token}`
}

async function emailResetLink(deps: Deps, { email, at, client }: ResetRequest): Promise<void> {
  const expiresAt = at + linkLifetime
  if (expiresAt <= deps.now()) return
  await deps.db.transaction().execute(async (tx) => {
    const user = await findUserByEmail(tx, email)
    if (!user || !(await canResetPassword(tx, user))) return
    const link = await createResetLink(deps, tx, user, expiresAt)
    if (link === null) throw new Error('the account changed while its link was created')
    await queueEmail(deps, tx, {
      to: { address: user.email, name: user.name },
      content: createResetEmail(link, client, at),
      expiresAt,
    })
    await audit(deps, tx, {
      actor: null,
      client,
      action: 'password.reset-asked',
      object: userObject(user),
    })
  })
}

/**
 * Creates and emails the link if the user exists and can use a password. The request has already been answered, so neither the
 * response nor its timing reveals whether there is such a user. The payload is encrypted because it contains an
 * address that anyone may have typed.
 */
export const sendResetLink = defineJob({
  name: 'auth.reset-link',
  payload: z.object({ sealed: z.string() }),
  retryDelays: [1000, 10_000, minute, 5 * minute],
  handler: (deps: Deps, { sealed }) =>
    emailResetLink(deps, requestSchema.parse(JSON.parse(deps.secrets.unseal(sealed)))),
})

export function sealRequest({ secrets }: Pick<Deps, 'secrets'>, request: ResetRequest): { sealed: string } {
  return {
    sealed: secrets.seal(JSON.stringify(request)),
  }
}
