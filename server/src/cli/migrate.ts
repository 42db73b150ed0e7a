import { type Command, CommandError, requireNoPositionals } from './command.ts'
import { contractSchema, upgradeSchema, withDatabaseAsIs } from './with-database.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  synopsis: '[--contract]',
  summary: 'upgrade the database, as each start of a single server does',
  details: [
    'A single server must be stopped. With CLUSTER=true, servers of the earlier version may be running.',
    '--contract   with CLUSTER=true: remove what only earlier versions need, once none of them is running',
  ],
  flags: ['contract'],
  async run(args) {
    requireNoPositionals(args)
    const steps = await withDatabaseAsIs((deps) => {
      if (!args.flags.has('contract')) return upgradeSchema(deps)
      if (deps.env.CLUSTER) return contractSchema(deps)
      throw new CommandError('Without CLUSTER=true, each start and npx lyceum migrate also contract.')
    })
    if (steps.length === 0) console.log('The database is up to date.')
    else console.log(`The database was upgraded: ${steps.join(', ')}.`)
    return 0
  },
}
