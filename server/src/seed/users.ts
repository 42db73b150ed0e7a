import type { Permissions } from '@lyceum/contract/permissions'
import { uuidv7 } from 'uuidv7'
import type { Actor } from '../actor.ts'
import type { Deps } from '../deps.ts'
import { commandLineClient } from '../features/audit/append.ts'
import { hashPassword } from '../features/auth/passwords.ts'
import { getUserPermissions } from '../features/auth/present.ts'
import { findUserByEmail, insertUser } from '../features/auth/store.ts'
import { register } from '../features/invitations/register.ts'
import { createSetupLink } from '../features/invitations/setup-link.ts'

/** The password of all users, so that a developer can sign in as any of them. */
export const seedPassword = 'lantern orchard 42'

const domain = 'lyceum.example'

const owner = { name: 'Ingrid Solheim', email: `ingrid@${domain}` }

/** Manages channels and documents, but neither users nor settings. */
const limitedAdmin = {
  name: 'Mateo Álvarez',
  email: `mateo@${domain}`,
  permissions: {
    canManageUsers: false,
    canCreateUsers: false,
    canEditUsers: false,
    canDeleteUsers: false,
    canManageSettings: false,
    canForce2FAReVerification: false,
    canDeleteChannels: false,
    canDeleteDocuments: false,
  } satisfies Partial<Permissions>,
}

const members = {
  layla: 'ليلى حدّاد',
  yuki: '佐藤 由紀',
  oleksandra: 'Олександра Шевченко',
  zsofia: 'Zsófia Kővári-Nagy',
  kwame: 'Kwame Mensah',
  linh: 'Nguyễn Thị Linh',
}

export type MemberName = keyof typeof members

export interface SeededUsers {
  owner: Actor
  admin: Actor
  members: Record<MemberName, Actor>
}

async function readActor({ db }: Deps, email: string): Promise<Actor> {
  const user = await findUserByEmail(db, email)
  if (!user) throw new Error(`${email} was not registered`)
  return {
    userId: user.id,
    sessionId: 'seed',
    name: user.name,
    email: user.email,
    role: user.role,
    isSystemAdmin: user.is_system_admin === 1,
    permissions: getUserPermissions(user),
    boundChannelId: null,
    isKeyActive: null,
    client: commandLineClient,
  }
}

/** Registers the first user with the setup link, as in a real installation. */
async function registerOwner(deps: Deps): Promise<Actor> {
  const link = await createSetupLink(deps, commandLineClient)
  if (link === null) throw new Error('the installation is not empty')
  const email = deps.env.OWNER_EMAIL ?? owner.email
  const token = new URL(link).searchParams.get('token') ?? ''
  await register(deps, { email, fullName: owner.name, password: seedPassword, token }, commandLineClient)
  return readActor(deps, email)
}

interface NewUser {
  name: string
  email: string
  permissions?: Partial<Permissions>
}

async function addUser(
  deps: Deps,
  passwordHash: string,
  { name, email, permissions }: NewUser,
): Promise<Actor> {
  await insertUser(deps.db, {
    id: uuidv7(),
    email,
    name,
    role: permissions ? 'admin' : 'user',
    permission_overrides: permissions ? JSON.stringify(permissions) : null,
    password_hash: passwordHash,
    // Without a mail server, nobody would receive the one-time codes.
    two_factor_enabled: 0,
    created_at: deps.now(),
  })
  return readActor(deps, email)
}

/** Creates the system administrator, an administrator with fewer permissions, and members. */
export async function addUsers(deps: Deps): Promise<SeededUsers> {
  const hash = await hashPassword(seedPassword)
  const first = await registerOwner(deps)
  const admin = await addUser(deps, hash, limitedAdmin)
  const added: Partial<Record<MemberName, Actor>> = {}
  for (const [key, name] of Object.entries(members))
    added[key as MemberName] = await addUser(deps, hash, { name, email: `${key}@${domain}` })
  return { owner: first, admin, members: added as Record<MemberName, Actor> }
}
