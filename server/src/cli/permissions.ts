import {
  type Permission,
  type Permissions,
  permissionNames,
  permissionsOf,
} from '@lyceum/contract/permissions'
import { audit, commandLine, userObject } from '../features/audit/append.ts'
import { changesBetween } from '../features/audit/changes.ts'
import { rightsOf } from '../features/auth/present.ts'
import { overridesFor } from '../features/users/administrators.ts'
import { changeUser, lockAdministrators } from '../features/users/store.ts'
import type { Records } from '../start.ts'
import { type Command, Refused, WrongUsage } from './command.ts'
import { called, readEmail, requirePerson } from './person.ts'
import { withRecords } from './records.ts'

const defaults = permissionsOf({ role: 'admin', isSystemAdmin: false })
const width = Math.max(...permissionNames.map(({ length }) => length)) + 2
function word(held: boolean): string {
  return held ? 'on' : 'off'
}

function isFlag(name: string): name is Permission {
  return (permissionNames as readonly string[]).includes(name)
}

function readChange(change: string): [Permission, boolean] {
  const [, name = '', value] = /^([^=]*)=(on|off)$/.exec(change) ?? []
  if (value === undefined) throw new WrongUsage(`“${change}” is not of the form right=on or right=off`)
  if (!isFlag(name)) throw new WrongUsage(`There is no right “${name}”, only ${permissionNames.join(', ')}`)
  return [name, value === 'on']
}

function describeRights(rights: Permissions): string {
  return permissionNames
    .map((flag) => {
      const note = rights[flag] === defaults[flag] ? '' : `   (${word(defaults[flag])} by default)`
      return `  ${flag.padEnd(width)}${word(rights[flag])}${note}`
    })
    .join('\n')
}

/** Changes what is to be changed and answers with all that holds then. */
function setRights(records: Records, address: string, changes: Partial<Permissions>): Promise<string> {
  return records.db.transaction().execute(async (tx) => {
    await lockAdministrators(tx)
    const person = await requirePerson(tx, address)
    if (person.role !== 'admin') throw new Refused(`${called(person)} is no administrator and has no rights.`)
    const isChange = Object.keys(changes).length > 0
    if (isChange && person.is_system_admin === 1)
      throw new Refused(`${called(person)} is a system administrator and holds every right.`)
    const before = rightsOf(person)
    const rights = { ...before, ...changes }
    if (isChange) await changeUser(tx, person.id, { permission_overrides: overridesFor(rights) })
    const changed = changesBetween(before, rights)
    if (changed)
      await audit(records, tx, {
        actor: null,
        client: commandLine,
        action: 'user.rights-changed',
        object: userObject(person),
        ...changed,
      })
    const standing = person.is_system_admin === 1 ? 'a system administrator' : 'an administrator'
    return `${called(person)} is ${standing}:\n${describeRights(rights)}`
  })
}

export const permissionsCommand: Command = {
  name: 'permissions',
  takes: '<address> [<right>=on|off …]',
  summary: 'show an administrator’s rights, or change them',
  details: [
    'A change is felt at their next call. A system administrator holds every right.',
    `Rights: ${permissionNames.join(' ')}`,
  ],
  async run({ words: [address, ...changes] }) {
    if (address === undefined) throw new WrongUsage('The address is missing')
    const known = readEmail(address)
    const wanted: Partial<Permissions> = Object.fromEntries(changes.map(readChange))
    console.log(await withRecords((records) => setRights(records, known, wanted)))
    return 0
  },
}
