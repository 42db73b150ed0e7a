import type { Logger } from 'pino'
import type { Db } from '#db/client.ts'
import type { ClusterState } from './cluster-state.ts'
import {
  deleteNode,
  drainNode,
  expireNode,
  findDeadNodes,
  insertNode,
  isWorkerAlive,
  type NodeIdentity,
  nodeLeaseMs,
  renewNode,
} from './node-store.ts'

const heartbeatMs = 2000
/** Time between two heartbeats after one that failed. */
const retryMs = 500
/** An answer that took longer, in milliseconds, tells too little about the clock of the database. */
const promptAnswer = 1000

/** This node must stop at once, because other nodes take over its work. */
export class NodeLeaseLost extends Error {}

export interface Membership {
  /** Resolves when the lease was not renewed in time. From then on, nothing may be written in the name of this node. */
  lost: Promise<NodeLeaseLost>
  /** Tells load balancers and the other servers that this one is about to stop. */
  drain(): Promise<void>
  /** Hands what this node has not finished to the others. */
  leave(): Promise<void>
}

interface Options {
  /** Used for nothing else, so that no request delays a heartbeat. */
  db: Db
  log: Logger
  now: () => number
  /** Updated at each heartbeat. */
  state: ClusterState
  /** Takes over the jobs and replies of a dead node. May run on several nodes at once, and again after a failure. */
  takeOver: (nodeId: string) => Promise<void>
}

/**
 * Adds this process to the nodes of the cluster, and keeps it there: it renews its lease every two seconds and takes
 * over the work of nodes whose lease has expired.
 */
export async function joinCluster(
  node: NodeIdentity,
  { db, log, now, state, takeOver }: Options,
): Promise<Membership> {
  const lost = Promise.withResolvers<NodeLeaseLost>()
  let beatTimer: NodeJS.Timeout | undefined
  let fence: NodeJS.Timeout | undefined
  let isOver = false
  let takingOver: Promise<void> | null = null

  function end(): void {
    isOver = true
    clearTimeout(beatTimer)
    clearTimeout(fence)
  }

  function lose(reason: string): void {
    if (isOver) return
    end()
    lost.resolve(new NodeLeaseLost(`${reason} Other servers take over its work, so it stops.`))
  }

  /** Loses the lease on our own clock too, because a node that cannot reach the database is not told. */
  function setFence(renewedAt: number): void {
    clearTimeout(fence)
    fence = setTimeout(
      () => lose(`This server could not renew its lease for ${nodeLeaseMs / 1000} seconds.`),
      renewedAt + nodeLeaseMs - performance.now(),
    )
  }

  /** The database read its clock at some time between the question and the answer. */
  function compareClocks(askedAt: number, databaseTime: number): void {
    const answeredAt = now()
    if (answeredAt - askedAt < promptAnswer)
      state.clockDifference = Math.round((askedAt + answeredAt) / 2 - databaseTime)
  }

  async function takeOverDead(): Promise<void> {
    for (const { id, name } of await findDeadNodes(db, now())) {
      await takeOver(id)
      if (await deleteNode(db, id)) log.warn({ node: name }, 'took over the work of a server that has ended')
    }
  }

  /** Only a node without jobs depends on the others for them. */
  async function lookForWorker(): Promise<void> {
    const seenAt = performance.now()
    if (node.role === 'web' && (await isWorkerAlive(db, now()))) state.workerSeenAt = seenAt
  }

  async function beat(): Promise<void> {
    let pause = heartbeatMs
    try {
      // The lease is counted from before the statement, which may arrive late.
      const renewedAt = performance.now()
      const askedAt = now()
      const databaseTime = await renewNode(db, node.id, askedAt, { clock_difference: state.clockDifference })
      if (databaseTime === null) return lose('This server was declared dead.')
      if (isOver) return
      compareClocks(askedAt, databaseTime)
      setFence(renewedAt)
      await lookForWorker()
      takingOver ??= takeOverDead()
        .catch((error: unknown) => log.warn({ err: error }, 'could not take over the work of a dead server'))
        .finally(() => {
          takingOver = null
        })
    } catch (error) {
      pause = retryMs
      log.warn({ err: error }, 'could not renew the lease of this server')
    }
    if (!isOver) beatTimer = setTimeout(() => void beat(), pause)
  }

  const joinedAt = performance.now()
  const askedAt = now()
  compareClocks(askedAt, await insertNode(db, node, askedAt))
  setFence(joinedAt)
  if (node.role === 'web') state.workerSeenAt = joinedAt
  beatTimer = setTimeout(() => void beat(), heartbeatMs)
  return {
    lost: lost.promise,
    async drain() {
      state.isDraining = true
      await drainNode(db, node.id).catch((error: unknown) =>
        log.warn({ err: error }, 'could not tell the other servers that this one stops'),
      )
    },
    async leave() {
      end()
      await takingOver
      // Without the database, the others wait until the lease has expired.
      await expireNode(db, node.id).catch(() => undefined)
    },
  }
}
