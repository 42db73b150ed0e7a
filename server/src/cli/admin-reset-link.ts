import { audit, commandLine, userObject } from '../features/audit/append.ts'
import { makeResetLink } from '../features/auth/reset-link.ts'
import type { Records } from '../start.ts'
import { type Command, onlyWord, Refused } from './command.ts'
import { called, readEmail, requirePerson } from './person.ts'
import { withRecords } from './records.ts'

function print(records: Records, address: string): Promise<string> {
  return records.db.transaction().execute(async (tx) => {
    const person = await requirePerson(tx, address)
    const link = await makeResetLink(records, tx, person)
    if (link === null)
      throw new Refused(`The account of ${called(person)} is being changed: please try again.`)
    await audit(records, tx, {
      actor: null,
      client: commandLine,
      action: 'password.reset-asked',
      object: userObject(person),
    })
    return `Set a new password for ${called(person)}: ${link}`
  })
}

export const adminResetLinkCommand: Command = {
  name: 'admin reset-link',
  takes: '<address>',
  summary: 'print a link with which a person sets a new password; an earlier one stops working',
  details: ['It works once, for half an hour. No mail is sent until the password is set.'],
  async run(given) {
    const address = readEmail(onlyWord(given, 'The address'))
    console.log(await withRecords((records) => print(records, address)))
    return 0
  },
}
