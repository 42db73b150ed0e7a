import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { uuidv7 } from 'uuidv7'
import { openDatabase } from '#db/client.ts'
import { countReusableBytes } from '#db/database-facts.ts'
import { type DatabaseLock, lockDatabase } from '#db/database-lock.ts'
import { openMessageSearch } from '#db/message-search/open.ts'
import { knownMigrations, waitForSchema } from '#db/migrate.ts'
import { createJobQueue, releaseLeases } from '#jobs/queue.ts'
import { createRangeLookup, noBreachedPasswords } from '#providers/breached-passwords/range-lookup.ts'
import { createImageEncoder } from '#providers/images/child-encoder.ts'
import { createEmbeddedIndex } from '#providers/passage-index/embedded-index.ts'
import type { PassageIndex } from '#providers/passage-index/port.ts'
import { createTextExtractor } from '#providers/text-extraction/child-extractor.ts'
import { buildApp } from './app.ts'
import { appVersion } from './backup/archive-format.ts'
import { upgrade } from './backup/before-upgrade.ts'
import { createClusterState, toDatabaseTime } from './cluster/cluster-state.ts'
import type { ClusterLinks } from './cluster/links.ts'
import { joinCluster, type Membership } from './cluster/membership.ts'
import { deleteNode, listNodes } from './cluster/node-store.ts'
import { createNotificationListener } from './cluster/notifications.ts'
import { openConnections } from './connections/connections.ts'
import type { Deps } from './deps.ts'
import type { Env } from './env.ts'
import { storeModelEvent } from './features/assistants/model-events.ts'
import { createAuditSender } from './features/audit/stream/audit-sender.ts'
import { releaseReceivers } from './features/audit/stream/receiver-store.ts'
import { warmUpPasswords } from './features/auth/passwords.ts'
import { createSessionTouches } from './features/auth/session-touches.ts'
import { chatsLifecycle } from './features/chats/lifecycle.ts'
import { interruptRepliesOf, recoverReplies, stopReplies } from './features/chats/replies/reply-manager.ts'
import { followEmbedder } from './features/documents/indexing/embed-documents.ts'
import { deleteRemovedFiles, queueIndexCompletion } from './features/documents/jobs.ts'
import { documentsLifecycle } from './features/documents/lifecycle.ts'
import { embeddingLifecycle } from './features/embedding/lifecycle.ts'
import { createNodeSetupLink, createSetupLink, type SetupHint } from './features/invitations/setup-link.ts'
import { createRecordingMailer } from './features/status/mail-state.ts'
import {
  lockDataFolder,
  readLastNodeId,
  recordNodeId,
  requireNoInterruptedRestore,
} from './files/data-folder.ts'
import { createDiskGuard } from './files/disk-guard.ts'
import { openStoredFiles } from './files/files-location.ts'
import { makeRoomToStart, releaseReserve } from './files/reserve.ts'
import { requireSameSecrets } from './keys/fingerprint.ts'
import { loadSecrets } from './keys/secrets.ts'
import { createFaultPoints } from './lib/fault-points.ts'
import { createLifecycle } from './lifecycle.ts'
import { createLog } from './log.ts'
import { createWorker } from './worker.ts'

interface StopOptions {
  /** Continue to serve for this long, in milliseconds, so that replies end and load balancers choose other servers. */
  drainMs: number
  /** Ends that time. */
  hurry: AbortSignal
}

/** Milliseconds that a server of a cluster waits until the schema has been upgraded. */
const schemaTimeout = 60_000

/** Milliseconds that a stop leaves to requests under way. A client could keep one open for much longer. */
const requestGrace = 10_000

export interface RunningServer {
  deps: Deps
  /** How the first user finishes the setup; null once there is a user. */
  setup: SetupHint | null
  /** Resolves when another server has taken over the database and this one has to stop. */
  databaseTaken: DatabaseLock['taken']
  /** Resolves when the other servers of the cluster have declared this one dead, and it has to end at once. */
  leaseLost: Membership['lost']
  stop(options: StopOptions): Promise<void>
}

export type BaseDeps = Pick<Deps, 'env' | 'secrets' | 'db' | 'breachedPasswords' | 'now' | 'log'>

export function secretsPath(env: Env): string {
  return env.SECRETS_FILE ?? join(env.DATA_DIR, 'secrets.json')
}

/** Opens the database and the secrets without upgrading them; a server may be running. The caller destroys `db`. */
export function openBaseDeps(env: Env, now: () => number = Date.now): BaseDeps {
  const log = createLog(env.LOG_LEVEL)
  mkdirSync(env.DATA_DIR, { recursive: true, mode: 0o700 })
  requireNoInterruptedRestore(env.DATA_DIR)
  const secrets = loadSecrets(secretsPath(env), now)
  const db = openDatabase(
    env.DATABASE_URL
      ? { postgres: env.DATABASE_URL, poolSize: env.DATABASE_POOL }
      : { sqlite: join(env.DATA_DIR, 'lyceum.db'), makeRoom: () => releaseReserve(env.DATA_DIR) },
  )
  const breachedPasswords = env.BREACHED_PASSWORDS_URL
    ? createRangeLookup(env.BREACHED_PASSWORDS_URL, log)
    : noBreachedPasswords
  return { env, secrets, db, breachedPasswords, now, log }
}

/** `onRebuilt` is called if a damaged or lost index was recreated, so that all passages must be added again. */
async function openPassageIndex({ env, db }: BaseDeps, onRebuilt: () => void): Promise<PassageIndex> {
  if (env.OPENSEARCH_URL !== undefined) {
    const { createOpenSearchIndex } = await import('#providers/passage-index/opensearch-index.ts')
    return createOpenSearchIndex({ url: env.OPENSEARCH_URL, alias: env.OPENSEARCH_INDEX, onRebuilt })
  }
  if (env.SEARCH === undefined)
    return createEmbeddedIndex({ path: join(env.DATA_DIR, 'passages.db'), onRebuilt })
  const { createPostgresIndex } = await import('#providers/passage-index/postgres-index.ts')
  return createPostgresIndex(db)
}

/** Only needed in a cluster, so a single server does not load the code. */
async function openLinks({ env, db, now, log }: BaseDeps, node: string): Promise<ClusterLinks> {
  const { openClusterLinks } = await import('./cluster/links.ts')
  return openClusterLinks({
    node,
    db,
    url: env.DATABASE_DIRECT_URL ?? '',
    redis: env.REDIS_URL === undefined ? null : { url: env.REDIS_URL, prefix: env.REDIS_PREFIX },
    now,
    log,
  })
}

/** The caller holds the lock on the data folder. */
export async function openDeps(
  env: Env,
  now: () => number = Date.now,
): Promise<{ deps: Deps; close: () => Promise<void> }> {
  const base = openBaseDeps(env, now)
  // Before the upgrade, so that a wrong setting changes nothing.
  const files = await openStoredFiles(env)
  if (!env.CLUSTER) await upgrade(base)
  const { connections, assistant, mail } = await openConnections(base, async (kind, event) => {
    const isBack = await storeModelEvent(base, kind, event)
    if (!isBack || kind !== 'embeddings') return
    await followEmbedder(deps).catch((error: unknown) =>
      base.log.warn({ err: error }, 'could not queue the documents that have no vectors'),
    )
  })
  const nodeId = uuidv7()
  const cluster = createClusterState()
  const deps: Deps = {
    ...base,
    files,
    images: createImageEncoder(),
    connections,
    mail: createRecordingMailer(mail, base),
    assistant,
    passageIndex: await openPassageIndex(
      base,
      () =>
        void queueIndexCompletion(deps).catch((error: unknown) =>
          base.log.error({ err: error }, 'the rebuilt search index is completed at the next start'),
        ),
    ),
    messageSearch: openMessageSearch({
      db: base.db,
      databasePath: join(env.DATA_DIR, 'lyceum.db'),
      indexPath: join(env.DATA_DIR, 'message-search.db'),
      warn: (error) => base.log.warn({ err: error }, 'failed to update the message search index'),
    }),
    textExtractor: createTextExtractor(),
    jobs: createJobQueue(base.db, () => toDatabaseTime(cluster, now())),
    faults: createFaultPoints(env.FAULT_POINT),
    disk: createDiskGuard({
      folder: env.DATA_DIR,
      holdsFiles: env.S3_BUCKET === undefined,
      log: base.log,
      countReusableBytes: () => countReusableBytes(base.db),
    }),
    lifecycle: createLifecycle([chatsLifecycle, documentsLifecycle, embeddingLifecycle]),
    sessionTouches: createSessionTouches(base),
    nodeId,
    cluster,
    clusterLinks: env.CLUSTER ? await openLinks(base, nodeId) : null,
  }
  async function close(): Promise<void> {
    await deps.clusterLinks?.close()
    await deps.images.close()
    await deps.textExtractor.close()
    await deps.passageIndex.close()
    await deps.messageSearch.close()
    await deps.mail.close()
    await deps.sessionTouches.close()
    await deps.db.destroy()
  }
  return { deps, close }
}

/** Takes over what the last server on this data folder left unfinished: its jobs, and replies with their journal. */
async function recoverLastNode(deps: Deps): Promise<void> {
  const { DATA_DIR } = deps.env
  const lastNodeId = readLastNodeId(DATA_DIR)
  if (lastNodeId !== null) {
    await releaseLeases(deps.db, lastNodeId)
    await releaseReceivers(deps.db, lastNodeId)
    await recoverReplies(deps, lastNodeId)
  }
  await recordNodeId(DATA_DIR, deps.nodeId)
}

async function takeOver(deps: Deps, deadId: string): Promise<void> {
  await releaseLeases(deps.db, deadId)
  await releaseReceivers(deps.db, deadId)
  await interruptRepliesOf(deps, deadId)
  await deps.clusterLinks?.eventLog.forget(deadId)
}

/** A single server has the database for itself: nobody declares it dead, and the servers of an earlier cluster are. */
async function openSingleMembership(deps: Deps): Promise<Membership> {
  const dead = await listNodes(deps.db)
  if (dead.length > 0) {
    const clusterLinks = await openLinks(deps, deps.nodeId)
    for (const { id } of dead) {
      await takeOver({ ...deps, clusterLinks }, id)
      await deleteNode(deps.db, id)
    }
    await clusterLinks.close()
  }
  return {
    lost: new Promise(() => undefined),
    drain: async () => undefined,
    leave: async () => undefined,
  }
}

async function openMembership(deps: Deps, onReleased: () => void): Promise<Membership> {
  const { env, log, now, nodeId } = deps
  if (!env.CLUSTER) return openSingleMembership(deps)
  await requireSameSecrets(deps)
  const db = openDatabase({ postgres: env.DATABASE_DIRECT_URL ?? '', poolSize: 1 })
  const node = {
    id: nodeId,
    name: env.NODE_NAME,
    role: env.RUN,
    version: appVersion(),
    newest_step: knownMigrations.at(-1) ?? null,
  }
  const membership = await joinCluster(node, {
    db,
    log,
    now,
    state: deps.cluster,
    async takeOver(deadId) {
      await takeOver(deps, deadId)
      onReleased()
    },
  })
  return {
    lost: membership.lost,
    drain: membership.drain,
    async leave() {
      await membership.leave()
      await db.destroy()
    },
  }
}

async function createSetupHint(deps: Deps): Promise<SetupHint | null> {
  if (deps.env.RUN === 'worker') return null
  if (deps.env.CLUSTER) return createNodeSetupLink(deps)
  const link = await createSetupLink(deps)
  return link === null ? null : { link }
}

/** A server of a cluster does not upgrade the schema, because other versions may be using it. */
async function waitForUpgrade({ DATABASE_DIRECT_URL: postgres = '' }: Env): Promise<void> {
  const db = openDatabase({ postgres, poolSize: 1 })
  try {
    await waitForSchema(db, schemaTimeout)
  } finally {
    await db.destroy()
  }
}

/** Resolves once the server is listening. */
export async function startServer(env: Env, options: { webFolder: string }): Promise<RunningServer> {
  makeRoomToStart(env.DATA_DIR)
  const folderLock = lockDataFolder(env.DATA_DIR)
  // Without the lock, which would keep out an upgrade that needs the database for itself.
  if (env.CLUSTER) await waitForUpgrade(env)
  const databaseLock = await lockDatabase(env.DATABASE_DIRECT_URL, { isShared: env.CLUSTER })
  const { deps, close } = await openDeps(env)
  const stopping = new AbortController()
  const worker = createWorker(deps)
  const auditSender = createAuditSender(deps)
  deps.jobs.onAdded((name) => worker.wake(name))
  databaseLock.onNotification(createNotificationListener(deps, { worker, stopping: stopping.signal }))
  // Another server may have changed them since they were read.
  if (env.CLUSTER) await deps.connections.reload()
  const membership = await openMembership(deps, () => worker.poll())
  await recoverLastNode(deps)
  await warmUpPasswords()
  const app = await buildApp(deps, { webFolder: options.webFolder, stopping: stopping.signal })
  await queueIndexCompletion(deps)
  await followEmbedder(deps)
  if (env.RUN !== 'web') {
    worker.start()
    auditSender.start()
  }
  await app.server.listen({ port: env.PORT, host: env.HOST })
  // Usually files stay for a day, so that a running backup is complete. Those in a bucket take no space on the disk.
  deps.disk.start({
    whileFull: async () => {
      if (env.S3_BUCKET === undefined) await deleteRemovedFiles(deps, deps.now())
    },
  })
  return {
    deps,
    setup: await createSetupHint(deps),
    databaseTaken: databaseLock.taken,
    leaseLost: membership.lost,
    async stop({ drainMs, hurry }) {
      if (drainMs > 0) {
        await membership.drain()
        await sleep(drainMs, undefined, { signal: hurry }).catch(() => undefined)
      }
      stopping.abort()
      // Now, so that a job whose child process also got the signal counts as stopped and not as failed.
      const workerStopped = worker.stop()
      const senderStopped = auditSender.stop()
      await stopReplies(deps)
      const cut = setTimeout(() => app.server.server.closeAllConnections(), requestGrace)
      await app.server.close()
      clearTimeout(cut)
      await workerStopped
      await senderStopped
      await membership.leave()
      await deps.disk.stop()
      await close()
      await databaseLock.release()
      folderLock.release()
    },
  }
}
