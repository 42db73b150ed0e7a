import { audit, commandLineClient, userObject } from '../features/audit/append.ts'
import { createResetLink } from '../features/auth/reset-link.ts'
import type { BaseDeps } from '../start.ts'
import { type Command, CommandError, readPositional } from './command.ts'
import { formatUser, readEmail, requireUser } from './user.ts'
import { withDatabase } from './with-database.ts'

function createLink(deps: BaseDeps, address: string): Promise<string> {
  return deps.db.transaction().execute(async (tx) => {
    const user = await requireUser(tx, address)
    const link = await createResetLink(deps, tx, user)
    if (link === null)
      throw new CommandError(`The account of ${formatUser(user)} is being changed. Please try again.`)
    await audit(deps, tx, {
      actor: null,
      client: commandLineClient,
      action: 'password.reset-asked',
      object: userObject(user),
    })
    return `Set a new password for ${formatUser(user)}: ${link}`
  })
}

export const adminResetLinkCommand: Command = {
  name: 'admin reset-link',
  synopsis: '<email>',
  summary: 'print a password reset link for a user; earlier links stop working',
  details: ['The link works once, for 30 minutes. Lyceum does not email it: pass it on yourself.'],
  async run(args) {
    const address = readEmail(readPositional(args, 'The email address'))
    console.log(await withDatabase((deps) => createLink(deps, address)))
    return 0
  },
}
