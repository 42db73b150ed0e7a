import { fileURLToPath } from 'node:url'
import { DatabaseInUse } from '#db/database-lock.ts'
import { isDatabaseUnavailable } from '#db/database-unavailable.ts'
import { isDamaged } from '#db/is-damaged.ts'
import { SchemaIsNewer, SchemaIsOlder } from '#db/migrate.ts'
import { UpgradeFailed, UpgradeNotSafe } from './backup/before-upgrade.ts'
import { NodeLeaseLost } from './cluster/membership.ts'
import { type Env, EnvError, readEnv } from './env.ts'
import type { SetupHint } from './features/invitations/setup-link.ts'
import {
  DataFolderInUse,
  DataFolderUnusable,
  keepNewFilesPrivate,
  RestoreInterrupted,
} from './files/data-folder.ts'
import { SecretsError } from './keys/key-file.ts'
import { isDiskFull } from './lib/disk-full.ts'
import { releaseStartMemory } from './lib/start-memory.ts'
import { handleStopSignals, sameStopWindow } from './lib/stop-signals.ts'
import { StorageUnavailable, StorageUnusable } from './providers/files/port.ts'
import { type RunningServer, startServer } from './start.ts'

/** Milliseconds after which the process exits even if it has not stopped cleanly. */
const stopTimeout = 15_000

const stillStopping = 'Lyceum is finishing what is under way. Press Ctrl+C again to exit at once.'

/** The exit code when the data folder or the database in it cannot be used. */
const unusable = 9

/** The exit code when another server uses the data folder or the database. */
const inUse = 3

/** After this code a later start may succeed without an administrator, unlike after those of `exitCodes`. */
const diskFull = 10

const exitCodes = new Map<new (message: string) => Error, number>([
  [EnvError, 2],
  [DataFolderInUse, inUse],
  [DatabaseInUse, inUse],
  [SecretsError, 4],
  [SchemaIsNewer, 5],
  [RestoreInterrupted, 7],
  [UpgradeNotSafe, 8],
  [DataFolderUnusable, unusable],
  [UpgradeFailed, 11],
  [StorageUnusable, 12],
  // A later start may succeed.
  [StorageUnavailable, 1],
  [SchemaIsOlder, 13],
  // A later start succeeds without an administrator.
  [NodeLeaseLost, 14],
])

/** Describes errors about the address to listen on and the database; null for all others. */
function describeSystemError(error: unknown): [sentence: string, exitCode: number] | null {
  if (isDamaged(error))
    return [`The database is damaged: ${(error as Error).message}. Restore the newest backup.`, unusable]
  const source = isDatabaseUnavailable(error) ? error.cause : error
  const { code, syscall, message, hostname } = source as NodeJS.ErrnoException & { hostname?: string }
  if (code === 'EADDRINUSE') return [`The address is already in use: ${message}. Set PORT to a free one.`, 6]
  if (syscall === 'listen')
    return [`The server cannot listen on this address: ${message}. Check HOST and PORT.`, 6]
  if (syscall === 'getaddrinfo')
    return [`The host ${hostname} cannot be found. Check HOST and DATABASE_URL.`, 6]
  return isDatabaseUnavailable(error) ? [`The database cannot be reached: ${error.message}.`, 1] : null
}

/** Prints one sentence for errors that the operator can resolve, and a stack trace for all others. */
function exitWithError(error: unknown): never {
  if (isDiskFull(error)) {
    console.error('The disk is full. Free some space, then start Lyceum again.')
    process.exit(diskFull)
  }
  for (const [kind, code] of exitCodes) {
    if (!(error instanceof kind)) continue
    console.error(error.message)
    process.exit(code)
  }
  const [output, code] = describeSystemError(error) ?? [error, 1]
  console.error(output)
  process.exit(code)
}

/** Stops the server once, however many reasons to stop there are. */
function createStop(server: RunningServer): (code: number) => void {
  const { CLUSTER, RUN, DRAIN_SECONDS } = server.deps.env
  const hurry = new AbortController()
  let isStopping = false
  return (code) => {
    if (code !== 0) hurry.abort()
    if (isStopping) return
    isStopping = true
    // A worker has no clients. Others of a cluster go on until load balancers and replies are done with them.
    const drainMs = CLUSTER && RUN !== 'worker' && code === 0 ? DRAIN_SECONDS * 1000 : 0
    setTimeout(() => process.exit(1), drainMs + stopTimeout).unref()
    setTimeout(() => console.error(stillStopping), sameStopWindow).unref()
    server.stop({ drainMs, hurry: hurry.signal }).then(
      () => {
        console.log('Lyceum has stopped.')
        process.exit(code)
      },
      (error: unknown) => exitWithError(error),
    )
  }
}

function stopOnProblems(
  { deps, databaseTaken, leaseLost }: RunningServer,
  stop: (code: number) => void,
): void {
  function fatal(error: unknown): void {
    deps.log.fatal({ err: error }, 'uncaught error: the process stops and must be restarted')
    stop(1)
  }
  void databaseTaken.then((error) => {
    deps.log.fatal({ err: error }, 'another server took over the database: this one stops')
    stop(inUse)
  })
  // Without an orderly stop, which would write in the name of this server. As after `kill -9`, nothing is lost.
  void leaseLost.then(exitWithError)
  process.on('uncaughtException', fatal)
  process.on('unhandledRejection', fatal)
}

function describeSetup(setup: SetupHint): string {
  return 'link' in setup
    ? `Finish setting up: ${setup.link}`
    : `Finish setting up with the link that the server ${setup.printedBy} has printed. For a new link, run: npx lyceum admin setup-link`
}

async function run(env: Env): Promise<void> {
  const webFolder = fileURLToPath(new URL('../../web/dist', import.meta.url))
  // Exiting is enough until the server has started: it has acknowledged nothing, and an upgrade survives being cut off.
  let stop: (code: number) => void = process.exit
  // The first process of a container ignores signals that it does not handle, so handle them before the start.
  handleStopSignals({ stop: () => stop(0), stopNow: () => process.exit(1) })
  const server = await startServer(env, { webFolder })
  stop = createStop(server)
  stopOnProblems(server, stop)
  const lines = [env.RUN === 'worker' ? 'Lyceum is ready to run jobs.' : `Lyceum is ready: ${env.PUBLIC_URL}`]
  if (server.setup) lines.push(describeSetup(server.setup))
  // One write, so that a reader who has the first line also has the second.
  console.log(lines.join('\n'))
  releaseStartMemory()
}

keepNewFilesPrivate()
try {
  await run(readEnv())
} catch (error) {
  exitWithError(error)
}
