import { audit, commandLine, userObject } from '../features/audit/append.ts'
import { revokeEntry } from '../features/auth/revoke.ts'
import { changeUser, lockAdministrators } from '../features/users/store.ts'
import type { Records } from '../start.ts'
import { type Command, onlyWord } from './command.ts'
import { called, readEmail, requirePerson } from './person.ts'
import { withRecords } from './records.ts'

function standing(isSystemAdmin: boolean): string {
  return isSystemAdmin ? 'a system administrator' : 'an administrator'
}

/** Answers with what became of the person, in a sentence. */
function promote(records: Records, address: string, toSystem: boolean): Promise<string> {
  return records.db.transaction().execute(async (tx) => {
    await lockAdministrators(tx)
    const person = await requirePerson(tx, address)
    const wasSystem = person.is_system_admin === 1
    if (person.role === 'admin' && (wasSystem || !toSystem))
      return `${called(person)} is ${standing(wasSystem)} already.`
    await changeUser(tx, person.id, { role: 'admin', is_system_admin: toSystem ? 1 : 0 })
    const isAdmin = person.role === 'admin'
    const isRestricted = !toSystem && person.permission_overrides !== null
    if (!isAdmin) await revokeEntry(tx, person.id)
    const byHand = { actor: null, client: commandLine, object: userObject(person) }
    if (!isAdmin)
      await audit(records, tx, {
        ...byHand,
        action: 'user.role-changed',
        before: { role: 'user' },
        after: { role: 'admin' },
      })
    if (toSystem)
      await audit(records, tx, {
        ...byHand,
        action: 'user.system-admin-changed',
        before: { isSystemAdmin: false },
        after: { isSystemAdmin: true },
      })
    if (isAdmin) return `${called(person)} is a system administrator now.`
    const lines = [`${called(person)} is ${standing(toSystem)} now, and has to sign in again.`]
    if (isRestricted)
      lines.push('Rights that were taken from them before stay taken: see npx lyceum permissions.')
    return lines.join('\n')
  })
}

export const adminPromoteCommand: Command = {
  name: 'admin promote',
  takes: '<address> [--system]',
  summary: 'make a user an administrator, or an administrator a system administrator',
  details: [
    'A user who becomes an administrator is signed out everywhere.',
    '--system   make a system administrator, who holds every right and may change those of the others',
  ],
  flags: ['system'],
  async run(given) {
    const address = readEmail(onlyWord(given, 'The address'))
    console.log(await withRecords((records) => promote(records, address, given.flags.has('system'))))
    return 0
  },
}
