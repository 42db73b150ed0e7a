import { fileURLToPath } from 'node:url'
import { isDatabaseUnavailable } from '#db/client.ts'
import { DatabaseInUse } from '#db/database-lock.ts'
import { SchemaIsNewer } from '#db/migrate.ts'
import { UpgradeNotSafe } from './backup/before-upgrade.ts'
import { DataFolderInUse, DataFolderUnusable, RestoreBrokenOff } from './data-folder.ts'
import { type Env, EnvError, readEnv } from './env.ts'
import { SecretsError } from './key-file.ts'
import { type RunningServer, startServer } from './start.ts'

/** How long a stop may take before the process ends regardless, in milliseconds. */
const stopWithin = 15_000

/** The exit code when another server uses the data folder or the database. */
const inUse = 3

const exitCodes = new Map<new (message: string) => Error, number>([
  [EnvError, 2],
  [DataFolderInUse, inUse],
  [DatabaseInUse, inUse],
  [SecretsError, 4],
  [SchemaIsNewer, 5],
  [RestoreBrokenOff, 7],
  [UpgradeNotSafe, 8],
  [DataFolderUnusable, 9],
])

/** Where the server is to listen and where its database is: what the system has against it, with the exit code. */
function refusedBySystem(error: unknown): [sentence: string, code: number] | null {
  const { code, syscall, message, hostname } = error as NodeJS.ErrnoException & { hostname?: string }
  if (code === 'EADDRINUSE') return [`The address is already in use: ${message}. Set PORT to another one.`, 6]
  if (syscall === 'listen') return [`The server cannot listen there: ${message}. Look at HOST and PORT.`, 6]
  if (syscall === 'getaddrinfo')
    return [`There is no machine called ${hostname}. Look at HOST and DATABASE_URL.`, 6]
  return isDatabaseUnavailable(error) ? [`The database cannot be reached: ${message || code}.`, 1] : null
}

/** What an operator can mend is said in its own sentence; the rest is a fault of ours and shows its origin. */
function giveUp(error: unknown): never {
  for (const [kind, code] of exitCodes) {
    if (!(error instanceof kind)) continue
    console.error(error.message)
    process.exit(code)
  }
  const [said, code] = refusedBySystem(error) ?? [error, 1]
  console.error(said)
  process.exit(code)
}

function stopOnSignals(server: RunningServer): void {
  let isStopping = false
  function stop(code: number): void {
    if (isStopping) return
    isStopping = true
    setTimeout(() => process.exit(1), stopWithin).unref()
    server.stop().then(
      () => process.exit(code),
      (error: unknown) => giveUp(error),
    )
  }
  process.once('SIGTERM', () => stop(0))
  process.once('SIGINT', () => stop(0))
  function fatal(error: unknown): void {
    server.deps.log.fatal(
      { err: error },
      'an error nobody caught: the process ends and should be started again',
    )
    stop(1)
  }
  void server.databaseTaken.then((error) => {
    server.deps.log.fatal({ err: error }, 'another server took over the database: this one stops')
    stop(inUse)
  })
  process.on('uncaughtException', fatal)
  process.on('unhandledRejection', fatal)
}

async function run(env: Env): Promise<void> {
  const webFolder = fileURLToPath(new URL('../../web/dist', import.meta.url))
  const server = await startServer(env, { webFolder })
  stopOnSignals(server)
  const lines = [`Lyceum is ready: ${env.PUBLIC_URL}`]
  if (server.setupLink) lines.push(`Finish setting up: ${server.setupLink}`)
  // Together, so that who waits for the first line has the second.
  console.log(lines.join('\n'))
}

try {
  await run(readEnv())
} catch (error) {
  giveUp(error)
}
