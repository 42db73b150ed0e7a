import { uuidv7 } from 'uuidv7'
import type { Tx } from '#db/client.ts'
import type { Client } from '../../client.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { audit, doerOf, userObject } from '../audit/append.ts'
import { joinChannels } from '../channels/membership.ts'
import { acceptInvitation, openInvitation } from '../invitations/invitations.ts'
import { globalTwoFactor } from '../settings/global-settings.ts'
import { differencesFrom } from '../two-factor/policy.ts'
import { checkPasswordChoice, hashPassword } from './passwords.ts'
import { countUsers, findUserByEmail, insertUser } from './store.ts'

interface Registration {
  email: string
  fullName: string
  password: string
  token: string
}

/** Only the very first person may come in by a set-up link, also when two try at once. */
async function checkStillEmpty(tx: Tx): Promise<void> {
  if ((await countUsers(tx)) > 0) throw new AppError('invitation.invalid')
}

/** Turns an invitation into a person: all of it or nothing, and each link once. */
export async function register(
  deps: Deps,
  { email, fullName, password, token }: Registration,
  client: Client,
) {
  const invitation = await openInvitation(deps, token)
  if (invitation.email !== '' && invitation.email !== email) throw new AppError('invitation.email_mismatch')
  const minLength = deps.env.PASSWORD_MIN_LENGTH
  await checkPasswordChoice(password, { email, name: fullName }, { minLength })
  const passwordHash = await hashPassword(password)
  await deps.db.transaction().execute(async (tx) => {
    await acceptInvitation(tx, invitation, deps.now())
    if (invitation.is_setup) await checkStillEmpty(tx)
    if (await findUserByEmail(tx, email)) throw new AppError('user.exists')
    const userId = uuidv7()
    await insertUser(tx, {
      id: userId,
      email,
      name: fullName,
      role: invitation.is_setup ? 'admin' : 'user',
      is_system_admin: invitation.is_setup,
      password_hash: passwordHash,
      ...differencesFrom(await globalTwoFactor(tx), {
        twoFactorExpiryDays: invitation.two_factor_days,
        twoFactorExpiryEnabled: invitation.two_factor_enabled === 1,
      }),
      created_at: deps.now(),
    })
    const channels = JSON.parse(invitation.allowed_channels) as string[]
    await joinChannels(tx, userId, channels, deps.now())
    const person = { id: userId, name: fullName, email }
    const actor = doerOf(person, client)
    await audit(deps, tx, {
      actor,
      action: 'invitation.accepted',
      object: { type: 'invitation', id: invitation.id, name: email },
    })
    const role = invitation.is_setup ? 'admin' : 'user'
    await audit(deps, tx, {
      actor,
      action: 'user.created',
      object: userObject(person),
      after: { email, role, isSystemAdmin: invitation.is_setup === 1, channels },
    })
  })
  return { message: 'Your registration is complete' }
}
