import { type Command, noWords } from './command.ts'
import { migrateAlone, withRecordsAsTheyAre } from './records.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'bring the database up to date, as each start does',
  details: ['The server must be stopped.'],
  async run(given) {
    noWords(given)
    const steps = await withRecordsAsTheyAre(migrateAlone)
    if (steps.length === 0) console.log('The database is up to date.')
    else console.log(`The database was brought up to date: ${steps.join(', ')}.`)
    return 0
  },
}
