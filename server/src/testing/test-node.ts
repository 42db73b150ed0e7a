import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { lockDatabase } from '#db/database-lock.ts'
import type { Pressure } from '#http/pressure.ts'
import type { JobRunner } from '#jobs/runner.ts'
import { type App, buildApp } from '../app.ts'
import { createNotificationListener } from '../cluster/notifications.ts'
import { readConnections } from '../connections/effective.ts'
import type { Deps } from '../deps.ts'
import { type Env, readEnv } from '../env.ts'
import { stopReplies } from '../features/chats/replies/reply-manager.ts'
import { openDeps } from '../start.ts'
import { createWorker } from '../worker.ts'

// biome-ignore lint/style/noProcessEnv: the test run chooses the kind of servers with these
const { TEST_NODES, TEST_NODES_SETTINGS, TEST_NODES_FAULT } = process.env

/** Bounds only a failure. Milliseconds. */
const followTimeout = 20_000
const pollMs = 10

/** A server in the process of the test. */
export interface TestNode extends App {
  deps: Deps
  worker: JobRunner
  stop(): Promise<void>
}

export interface TestNodeOptions {
  /** Environment variables. */
  settings: Record<string, string>
  /** The first server's data folder. */
  folder: string
  databaseUrl: string | undefined
  now: () => number
  deps: Partial<Deps>
  pressure: Partial<Pressure>
}

/** The servers that a test application consists of. */
export interface TestNodes {
  /** Those that users reach. */
  web: [TestNode, ...TestNode[]]
  /** The one that runs jobs. */
  worker: TestNode
  /** Waits until all of them use the stored connections. Each learns of a change by a notification. */
  followConnections(): Promise<void>
}

async function openNode(
  env: Env,
  { folder, now, deps: changes, pressure }: TestNodeOptions,
): Promise<TestNode> {
  const lock = env.CLUSTER ? await lockDatabase(env.DATABASE_DIRECT_URL, { isShared: true }) : null
  const opened = await openDeps(env, now)
  const deps: Deps = { ...opened.deps, ...changes }
  const stopping = new AbortController()
  const worker = createWorker(deps)
  lock?.onNotification(createNotificationListener(deps, { worker, stopping: stopping.signal }))
  const app = await buildApp(deps, {
    webFolder: join(folder, 'no-web'),
    stopping: stopping.signal,
    // Not measured, because the test keeps the event loop busy too.
    pressure: {
      waitMs: () => 0,
      nextTurn: async () => false,
      delayP99: () => 0,
      close: () => undefined,
      ...pressure,
    },
  })
  await app.server.ready()
  return {
    ...app,
    deps,
    worker,
    async stop() {
      stopping.abort()
      await stopReplies(deps)
      await app.server.close()
      await worker.stop()
      await opened.close()
      await lock?.release()
    },
  }
}

async function openSingleNode(options: TestNodeOptions): Promise<TestNodes> {
  const { settings, folder, databaseUrl } = options
  const node = await openNode(
    readEnv({ DATA_DIR: folder, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}), ...settings }),
    options,
  )
  return { web: [node], worker: node, followConnections: async () => undefined }
}

/** The settings of the servers behind a cluster, such as the address of its bucket. */
function requireClusterSettings(): Record<string, string> {
  if (TEST_NODES_SETTINGS) return JSON.parse(TEST_NODES_SETTINGS) as Record<string, string>
  throw new Error(TEST_NODES_FAULT ?? 'TEST_NODES_SETTINGS is not set. The test runner sets it.')
}

async function usesStoredConnections({ connections, db, secrets, env }: Deps): Promise<boolean> {
  return isDeepStrictEqual(connections.current, await readConnections(db, secrets, env))
}

/**
 * Two web servers and a worker that share all but their memory and their data folders. They are no members of the
 * cluster, because a lease that expires has tests of its own, and because the clock of a test is not that of the database.
 */
async function openCluster(options: TestNodeOptions): Promise<TestNodes> {
  const { settings, folder, databaseUrl } = options
  const name = folder.slice(folder.lastIndexOf('-') + 1).toLowerCase()
  const common = {
    ...{ CLUSTER: 'true', DATABASE_URL: databaseUrl },
    ...{ SECRETS_FILE: join(folder, 'secrets.json'), SMTP_URL: 'smtp://127.0.0.1:1' },
    ...requireClusterSettings(),
    // Like a network drive, since a backup made by the worker must be seen by the others.
    BACKUP_DIR: join(folder, 'backups'),
    ...{ S3_PREFIX: name, REDIS_PREFIX: name, OPENSEARCH_INDEX: `test-${name}` },
    ...settings,
  }
  // In place of the mail server that a cluster requires, unless the test has one: all write to the same outbox.
  await mkdir(join(folder, 'outbox'))
  const folders: string[] = []
  async function open(RUN: string): Promise<TestNode> {
    const dataFolder = folders.length === 0 ? folder : await mkdtemp(join(tmpdir(), 'lyceum-test-'))
    if (dataFolder !== folder) await symlink(join(folder, 'outbox'), join(dataFolder, 'outbox'))
    folders.push(dataFolder)
    const env = readEnv({ ...common, RUN, NODE_NAME: `${RUN} ${folders.length}`, DATA_DIR: dataFolder })
    const node = await openNode({ ...env, SMTP_URL: settings['SMTP_URL'] }, options)
    return {
      ...node,
      async stop() {
        await node.stop()
        if (dataFolder !== folder) await rm(dataFolder, { recursive: true })
      },
    }
  }
  const nodes = {
    web: [await open('web'), await open('web')],
    worker: await open('worker'),
  } satisfies Partial<TestNodes>
  return {
    ...nodes,
    async followConnections() {
      const deadline = performance.now() + followTimeout
      for (const { deps } of [...nodes.web, nodes.worker])
        while (!(await usesStoredConnections(deps))) {
          if (performance.now() > deadline) throw new Error(`${deps.env.NODE_NAME} uses other connections`)
          await sleep(pollMs)
        }
    },
  }
}

/** Opens the servers of a test application, as many as this test run uses. */
export function openTestNodes(options: TestNodeOptions): Promise<TestNodes> {
  return TEST_NODES === 'two' ? openCluster(options) : openSingleNode(options)
}
