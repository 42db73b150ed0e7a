import type { User } from '@lyceum/contract/auth'
import type { Permissions } from '@lyceum/contract/permissions'
import type { Executor, Tx } from '#db/client.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { rightsOf } from '../auth/present.ts'
import { requireUser } from './access.ts'
import { holdAdministrators, overridesFor, requireSuccessors } from './administrators.ts'
import { changeUser, type UserRow } from './store.ts'
import { presentOne } from './users.ts'

/** Ordinary people have no rights to change, and a system administrator has them all. */
const requireLimitable = async (db: Executor, id: string): Promise<UserRow> => {
  const user = await requireUser(db, id)
  if (user.role !== 'admin') throw new AppError('user.not_admin')
  if (user.is_system_admin === 1)
    throw new AppError('user.not_admin', { message: 'A system administrator holds every right' })
  return user
}

const holdAsSystemAdmin = async (tx: Tx, actor: Actor): Promise<void> => {
  const { isSystemAdmin } = await holdAdministrators(tx, actor)
  if (!isSystemAdmin) throw new AppError('permission.denied')
}

export const rightsOfAdmin = async ({ db }: Deps, id: string): Promise<Permissions> =>
  rightsOf(await requireLimitable(db, id))

export const setRights = ({ db }: Deps, actor: Actor, id: string, flags: Permissions): Promise<Permissions> =>
  db.transaction().execute(async (tx) => {
    await holdAsSystemAdmin(tx, actor)
    const user = await requireLimitable(tx, id)
    const permission_overrides = overridesFor(flags)
    await changeUser(tx, id, { permission_overrides })
    return rightsOf({ ...user, permission_overrides })
  })

/** What was taken from an administrator comes back into force when they are no system administrator any more. */
export const setSystemAdmin = (
  { db }: Deps,
  actor: Actor,
  id: string,
  isSystemAdmin: boolean,
): Promise<User> =>
  db.transaction().execute(async (tx) => {
    await holdAsSystemAdmin(tx, actor)
    const user = await requireUser(tx, id)
    if (user.role !== 'admin')
      throw new AppError('user.not_admin', {
        message: 'Only an administrator can become a system administrator',
      })
    if (!isSystemAdmin) await requireSuccessors(tx, user)
    const is_system_admin = isSystemAdmin ? 1 : 0
    await changeUser(tx, id, { is_system_admin })
    return presentOne(tx, { ...user, is_system_admin })
  })
