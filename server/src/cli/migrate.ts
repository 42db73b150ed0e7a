import { type Command, requireNoPositionals } from './command.ts'
import { migrateExclusively, withDatabaseAsIs } from './with-database.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'upgrade the database, as each start does',
  details: ['The server must be stopped.'],
  async run(args) {
    requireNoPositionals(args)
    const steps = await withDatabaseAsIs(migrateExclusively)
    if (steps.length === 0) console.log('The database is up to date.')
    else console.log(`The database was upgraded: ${steps.join(', ')}.`)
    return 0
  },
}
