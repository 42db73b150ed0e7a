import { fileURLToPath } from 'node:url'
import { SchemaIsNewer } from '#db/migrate.ts'
import { UpgradeNotSafe } from './backup/before-upgrade.ts'
import { DataFolderInUse, RestoreBrokenOff } from './data-folder.ts'
import { type Env, EnvError, readEnv } from './env.ts'
import { SecretsError } from './key-file.ts'
import { type RunningServer, startServer } from './start.ts'

/** How long a stop may take before the process ends regardless, in milliseconds. */
const stopWithin = 15_000

const exitCodes = new Map<new (message: string) => Error, number>([
  [EnvError, 2],
  [DataFolderInUse, 3],
  [SecretsError, 4],
  [SchemaIsNewer, 5],
  [RestoreBrokenOff, 7],
  [UpgradeNotSafe, 8],
])

/** What an operator can mend is said in its own sentence; the rest is a fault of ours and shows its origin. */
const giveUp = (error: unknown): never => {
  for (const [kind, code] of exitCodes) {
    if (!(error instanceof kind)) continue
    console.error(error.message)
    process.exit(code)
  }
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
    console.error(`The address is already in use: ${(error as Error).message}. Set PORT to another one.`)
    process.exit(6)
  }
  console.error(error)
  process.exit(1)
}

const stopOnSignals = (server: RunningServer): void => {
  let isStopping = false
  const stop = (code: number): void => {
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
  const fatal = (error: unknown): void => {
    server.deps.log.fatal(
      { err: error },
      'an error nobody caught: the process ends and should be started again',
    )
    stop(1)
  }
  process.on('uncaughtException', fatal)
  process.on('unhandledRejection', fatal)
}

const run = async (env: Env): Promise<void> => {
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
