import { type Permissions, permissionsOf } from '@lyceum/contract/permissions'
import type { Tx } from '#db/client.ts'
import { queueEmail } from '#mail/send-mail.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { rightsOf } from '../auth/present.ts'
import {
  countAdministratorsBeside,
  findUser,
  listSystemAdministrators,
  lockAdministrators,
  type UserRow,
} from './store.ts'

/**
 * From here to the end of the transaction nobody else changes who administers or what they may. Answers with the
 * caller as they stand now: they may have lost the role or the right while they waited.
 */
export async function lockAdministratorsAs(tx: Tx, actor: Actor): Promise<Actor> {
  await lockAdministrators(tx)
  const row = await findUser(tx, actor.userId)
  // Whoever lost the role lost their sessions with it.
  if (row?.role !== 'admin') throw new AppError('auth.session_ended')
  return {
    ...actor,
    role: row.role,
    isSystemAdmin: row.is_system_admin === 1,
    permissions: rightsOf(row),
  }
}

/** Refuses to let the last administrator go, or the last system administrator. Asked while they are held. */
export async function requireSuccessors(tx: Tx, target: UserRow): Promise<void> {
  if (target.role !== 'admin') return
  const others = await countAdministratorsBeside(tx, target.id)
  if (target.is_system_admin === 1 && others.system === 0) throw new AppError('user.last_system_admin')
  if (others.all === 0) throw new AppError('user.last_admin')
}

/** Posts each system administrator a letter, in the transaction of what it tells of. */
export async function tellSystemAdministrators(
  deps: Deps,
  tx: Tx,
  posting: Pick<Parameters<typeof queueEmail>[2], 'content' | 'expiresAt'>,
): Promise<void> {
  for (const { name, email } of await listSystemAdministrators(tx))
    await queueEmail(deps, tx, { to: { name, address: email }, ...posting })
}

const defaults = permissionsOf({ role: 'admin', isSystemAdmin: false })

/** What is kept of an administrator's rights: the flags that differ from every administrator's. */
export function overridesFor(flags: Partial<Permissions>): string | null {
  const changed = Object.entries(flags).filter(([flag, held]) => held !== defaults[flag as keyof Permissions])
  return changed.length === 0 ? null : JSON.stringify(Object.fromEntries(changed))
}

function denied(flags: Partial<Permissions>): Partial<Permissions> {
  return Object.fromEntries(Object.entries(flags).filter(([, held]) => !held))
}

function keptOf({ permission_overrides }: Pick<UserRow, 'permission_overrides'>): Partial<Permissions> {
  return permission_overrides === null ? {} : (JSON.parse(permission_overrides) as Partial<Permissions>)
}

/**
 * What is kept of the rights of somebody who is no administrator any more: those that were taken from them, so that
 * nobody gets them back by being demoted and promoted. What they were given beyond the usual is not kept.
 */
export function restrictionsOf(user: Pick<UserRow, 'permission_overrides'>): string | null {
  return overridesFor(denied(keptOf(user)))
}

/**
 * A new administrator holds no right that the one who made them lacks; otherwise whoever was denied one could make
 * themselves a second account that has it. Nor any that was taken from them when they were one before.
 */
export function rightsGivenBy(
  { permissions }: Pick<Actor, 'permissions'>,
  user: Pick<UserRow, 'permission_overrides'>,
): string | null {
  return overridesFor({ ...denied(keptOf(user)), ...denied(permissions) })
}
