import {
  getPermissions,
  type Permission,
  type Permissions,
  permissionNames,
} from '@lyceum/contract/permissions'
import { audit, commandLineClient, userObject } from '../features/audit/append.ts'
import { findChanges } from '../features/audit/changes.ts'
import { getOwnPermissions } from '../features/auth/present.ts'
import { toOverrides } from '../features/users/administrators.ts'
import { changeUser, lockAdministrators } from '../features/users/store.ts'
import type { BaseDeps } from '../start.ts'
import { type Command, CommandError, UsageError } from './command.ts'
import { formatUser, readEmail, requireUser } from './user.ts'
import { withDatabase } from './with-database.ts'

const defaults = getPermissions({ role: 'admin', isSystemAdmin: false })
const width = Math.max(...permissionNames.map(({ length }) => length)) + 2
function formatState(isOn: boolean): string {
  return isOn ? 'on' : 'off'
}

function isPermission(name: string): name is Permission {
  return (permissionNames as readonly string[]).includes(name)
}

function readChange(change: string): [Permission, boolean] {
  const [, name = '', value] = /^([^=]*)=(on|off)$/.exec(change) ?? []
  if (value === undefined) throw new UsageError(`“${change}” is not <permission>=on or <permission>=off`)
  if (!isPermission(name))
    throw new UsageError(
      `There is no permission “${name}”. The permissions are ${permissionNames.join(', ')}`,
    )
  return [name, value === 'on']
}

function describePermissions(permissions: Permissions): string {
  return permissionNames
    .map((name) => {
      const note =
        permissions[name] === defaults[name] ? '' : `   (${formatState(defaults[name])} by default)`
      return `  ${name.padEnd(width)}${formatState(permissions[name])}${note}`
    })
    .join('\n')
}

/** Applies the changes, if any, and returns all permissions as text. */
function changePermissions(deps: BaseDeps, address: string, changes: Partial<Permissions>): Promise<string> {
  return deps.db.transaction().execute(async (tx) => {
    await lockAdministrators(tx)
    const user = await requireUser(tx, address)
    if (user.role !== 'admin')
      throw new CommandError(`${formatUser(user)} is not an administrator and has no permissions.`)
    const isChange = Object.keys(changes).length > 0
    if (isChange && user.is_system_admin === 1)
      throw new CommandError(`${formatUser(user)} is a system administrator and has all permissions.`)
    const before = getOwnPermissions(user)
    const after = { ...before, ...changes }
    if (isChange) await changeUser(tx, user.id, { permission_overrides: toOverrides(after) })
    const changed = findChanges(before, after)
    if (changed)
      await audit(deps, tx, {
        actor: null,
        client: commandLineClient,
        action: 'user.rights-changed',
        object: userObject(user),
        ...changed,
      })
    const role = user.is_system_admin === 1 ? 'a system administrator' : 'an administrator'
    return `${formatUser(user)} is ${role}:\n${describePermissions(after)}`
  })
}

export const permissionsCommand: Command = {
  name: 'permissions',
  synopsis: '<email> [<permission>=on|off …]',
  summary: 'show or change the permissions of an administrator',
  details: [
    'A change applies at once. A system administrator always has all permissions.',
    `Permissions: ${permissionNames.join(' ')}`,
  ],
  async run({ positionals: [address, ...assignments] }) {
    if (address === undefined) throw new UsageError('The email address is missing')
    const email = readEmail(address)
    const changes: Partial<Permissions> = Object.fromEntries(assignments.map(readChange))
    console.log(await withDatabase((deps) => changePermissions(deps, email, changes)))
    return 0
  },
}
