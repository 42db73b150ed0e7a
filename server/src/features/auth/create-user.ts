import type { Role } from '@lyceum/contract/permissions'
import type { TwoFactorSettings } from '@lyceum/contract/two-factor'
import { uuidv7 } from 'uuidv7'
import type { Tx } from '#db/client.ts'
import { AppError } from '../../errors.ts'
import { findUserByEmail, insertUser } from './store.ts'
import { diffFromGlobal, getGlobalTwoFactor } from './two-factor-policy.ts'

interface NewUser {
  email: string
  name: string
  passwordHash: string
  /** Set for the first user, who becomes the system administrator. */
  isSetup: 0 | 1
  role: Role
  permissionOverrides: string | null
  twoFactor: TwoFactorSettings
  now: number
}

/** Returns the id. Throws if the email address is already in use. */
export async function createUser(
  tx: Tx,
  { email, name, passwordHash, isSetup, role, permissionOverrides, twoFactor, now }: NewUser,
): Promise<string> {
  if (await findUserByEmail(tx, email)) throw new AppError('user.exists')
  const id = uuidv7()
  await insertUser(tx, {
    id,
    email,
    name,
    role,
    is_system_admin: isSetup,
    permission_overrides: permissionOverrides,
    password_hash: passwordHash,
    ...diffFromGlobal(await getGlobalTwoFactor(tx), twoFactor),
    created_at: now,
  })
  return id
}
