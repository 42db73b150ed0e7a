import { parseArgs } from 'node:util'
import { EnvError, readEnv } from './env.ts'
import { makeSetupLink } from './features/invitations/setup-link.ts'
import { openRecords } from './start.ts'

const help = `Usage: npx lyceum <command>

  start               run the server
  admin setup-link    print a fresh link for the first person; the earlier one stops working
  seed                fill an empty installation with people, channels, documents and chats to try it with

Settings come from the environment: see the configuration table in README.md.
`

/** What a command ends the process with. */
type ExitCode = 0 | 1 | 2

const printSetupLink = async (): Promise<ExitCode> => {
  const records = await openRecords(readEnv())
  try {
    const link = await makeSetupLink(records)
    if (link) console.log(`Finish setting up: ${link}`)
    else console.error('This installation has its first person already: no set-up link is needed.')
    return link ? 0 : 1
  } finally {
    await records.db.destroy()
  }
}

const commands: Record<string, () => Promise<ExitCode>> = {
  async start() {
    await import('./main.ts')
    return 0
  },
  'admin setup-link': printSetupLink,
  async seed() {
    const { seed } = await import('./seed/seed.ts')
    return seed(readEnv())
  },
}

const run = async (): Promise<ExitCode> => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' } },
  })
  const name = positionals.join(' ')
  const command = commands[name]
  if (values.help || name === 'help') {
    console.log(help)
    return 0
  }
  if (!command) {
    console.error(help)
    return 2
  }
  return command()
}

try {
  process.exitCode = await run()
} catch (error) {
  console.error(error instanceof EnvError ? error.message : error)
  process.exitCode = 1
}
