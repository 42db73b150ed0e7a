import { audit, commandLineClient, userObject } from '../features/audit/append.ts'
import { revokeAccess } from '../features/auth/revoke.ts'
import { changeUser, lockAdministrators } from '../features/users/store.ts'
import type { BaseDeps } from '../start.ts'
import { type Command, readPositional } from './command.ts'
import { formatUser, readEmail, requireUser } from './user.ts'
import { withDatabase } from './with-database.ts'

function formatRole(isSystemAdmin: boolean): string {
  return isSystemAdmin ? 'a system administrator' : 'an administrator'
}

/** Returns the sentence to print. */
function promote(deps: BaseDeps, address: string, toSystem: boolean): Promise<string> {
  return deps.db.transaction().execute(async (tx) => {
    await lockAdministrators(tx)
    const user = await requireUser(tx, address)
    const wasSystem = user.is_system_admin === 1
    if (user.role === 'admin' && (wasSystem || !toSystem))
      return `${formatUser(user)} is already ${formatRole(wasSystem)}.`
    await changeUser(tx, user.id, { role: 'admin', is_system_admin: toSystem ? 1 : 0 })
    const isAdmin = user.role === 'admin'
    const isRestricted = !toSystem && user.permission_overrides !== null
    if (!isAdmin) await revokeAccess(tx, user.id)
    const entry = { actor: null, client: commandLineClient, object: userObject(user) }
    if (!isAdmin)
      await audit(deps, tx, {
        ...entry,
        action: 'user.role-changed',
        before: { role: 'user' },
        after: { role: 'admin' },
      })
    if (toSystem)
      await audit(deps, tx, {
        ...entry,
        action: 'user.system-admin-changed',
        before: { isSystemAdmin: false },
        after: { isSystemAdmin: true },
      })
    if (isAdmin) return `${formatUser(user)} is now a system administrator.`
    const lines = [`${formatUser(user)} is now ${formatRole(toSystem)} and must sign in again.`]
    if (isRestricted)
      lines.push(
        'Permissions that were removed earlier stay removed. To see them, run npx lyceum permissions.',
      )
    return lines.join('\n')
  })
}

export const adminPromoteCommand: Command = {
  name: 'admin promote',
  synopsis: '<email> [--system]',
  summary: 'make a user an administrator, or an administrator a system administrator',
  details: [
    'A user who becomes an administrator is signed out everywhere.',
    '--system   make them a system administrator, who has all permissions and can change those of other administrators',
  ],
  flags: ['system'],
  async run(args) {
    const address = readEmail(readPositional(args, 'The email address'))
    console.log(await withDatabase((deps) => promote(deps, address, args.flags.has('system'))))
    return 0
  },
}
