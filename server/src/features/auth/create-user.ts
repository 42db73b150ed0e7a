import type { Role } from '@lyceum/contract/permissions'
import type { TwoFactorSettings } from '@lyceum/contract/two-factor'
import { uuidv7 } from 'uuidv7'
import type { Tx } from '#db/client.ts'
import type { Client } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { type AuditActor, audit, toAuditActor, userObject } from '../audit/append.ts'
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

interface UserOfSource {
  email: string
  name: string
  /** Null if the user themselves caused it, by signing in. */
  actor: AuditActor | null
  client: Client
  /** Where the user comes from, for the audit log. */
  origin: Record<string, string>
}

/** Creates an ordinary user without a password, because an issuer or a directory knows them. Returns the id. */
export async function createUserOfSource(
  deps: Deps,
  tx: Tx,
  { email, name, actor, client, origin }: UserOfSource,
): Promise<string> {
  const id = await createUser(tx, {
    email,
    name,
    passwordHash: '',
    isSetup: 0,
    role: 'user',
    permissionOverrides: null,
    twoFactor: await getGlobalTwoFactor(tx),
    now: deps.now(),
  })
  await audit(deps, tx, {
    actor: actor ?? toAuditActor({ id, name, email }, client),
    action: 'user.created',
    object: userObject({ id, name }),
    after: { email, role: 'user', isSystemAdmin: false, ...origin },
  })
  return id
}
