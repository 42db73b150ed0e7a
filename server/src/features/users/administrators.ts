import { type Permissions, permissionsOf } from '@lyceum/contract/permissions'
import type { Tx } from '#db/client.ts'
import type { Actor } from '../../actor.ts'
import { AppError } from '../../errors.ts'
import { rightsOf } from '../auth/present.ts'
import { countAdministratorsBeside, findUser, lockAdministrators, type UserRow } from './store.ts'

/**
 * From here to the end of the transaction nobody else changes who administers or what they may. Answers with the
 * caller as they stand now: they may have lost the role or the right while they waited.
 */
export const holdAdministrators = async (tx: Tx, actor: Actor): Promise<Actor> => {
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
export const requireSuccessors = async (tx: Tx, target: UserRow): Promise<void> => {
  if (target.role !== 'admin') return
  const others = await countAdministratorsBeside(tx, target.id)
  if (target.is_system_admin === 1 && others.system === 0) throw new AppError('user.last_system_admin')
  if (others.all === 0) throw new AppError('user.last_admin')
}

const defaults = permissionsOf({ role: 'admin', isSystemAdmin: false })

/** What is kept of an administrator's rights: the flags that differ from every administrator's. */
export const overridesFor = (flags: Partial<Permissions>): string | null => {
  const changed = Object.entries(flags).filter(([flag, held]) => held !== defaults[flag as keyof Permissions])
  return changed.length === 0 ? null : JSON.stringify(Object.fromEntries(changed))
}

/**
 * A new administrator holds no right that the one who made them lacks; otherwise whoever was denied one could make
 * themselves a second account that has it.
 */
export const rightsGivenBy = ({ permissions }: Actor): string | null =>
  overridesFor(Object.fromEntries(Object.entries(permissions).filter(([, held]) => !held)))
