import { commandLineClient } from '../features/audit/append.ts'
import { createSetupLink } from '../features/invitations/setup-link.ts'
import { type Command, CommandError, requireNoPositionals } from './command.ts'
import { withDatabase } from './with-database.ts'

export const adminSetupLinkCommand: Command = {
  name: 'admin setup-link',
  summary: 'print a new setup link for the first user; earlier links stop working',
  details: ['The link works for an hour, and only while there are no users.'],
  async run(args) {
    requireNoPositionals(args)
    const link = await withDatabase((deps) => createSetupLink(deps, commandLineClient))
    if (link === null) throw new CommandError('This installation already has a user and needs no setup link.')
    console.log(`Finish setting up: ${link}`)
    return 0
  },
}
