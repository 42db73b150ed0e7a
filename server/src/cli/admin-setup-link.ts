import { commandLine } from '../features/audit/append.ts'
import { makeSetupLink } from '../features/invitations/setup-link.ts'
import { type Command, noWords, Refused } from './command.ts'
import { withRecords } from './records.ts'

export const adminSetupLinkCommand: Command = {
  name: 'admin setup-link',
  summary: 'print a fresh link for the first person; the earlier one stops working',
  details: ['It works for an hour, and only while there is nobody.'],
  async run(given) {
    noWords(given)
    const link = await withRecords((records) => makeSetupLink(records, commandLine))
    if (link === null)
      throw new Refused('This installation has its first person already: no set-up link is needed.')
    console.log(`Finish setting up: ${link}`)
    return 0
  },
}
