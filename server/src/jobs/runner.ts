import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Db } from '#db/client.ts'
import { isDatabaseUnavailable } from '#db/database-unavailable.ts'
import { type Lane, laneSlots, PermanentJobError, type RunnableJob } from './define-job.ts'
import {
  addRepeating,
  claimJob,
  extendLease,
  failJob,
  findNextDueTime,
  finishJob,
  type JobRow,
  releaseLeases,
} from './queue.ts'

const lanesInOrder = Object.keys(laneSlots) as Lane[]
const heartbeatMs = 15_000
/** The longest time between two polls. Polling finds jobs that other processes added. */
const maxPauseMs = 5_000
const minPauseMs = 25
/** Time between two attempts to record a result while the database is away. */
const recordPauseMs = 1000
/** Before the next attempt of a job that has no retries left and failed because the database was away. */
const outageRetryDelay = 60_000

export interface RunnerDeps {
  db: Db
  log: Logger
  now: () => number
  /** The owner written into leases. */
  nodeId: string
}

export interface JobRunner {
  /** Runs due jobs, including those they add, until none is due. For tests and the CLI. */
  runUntilIdle(): Promise<void>
  start(): void
  /** Polls now, because a job was added. */
  wake(): void
  /** Stops claiming jobs, aborts the signal of the running ones and waits for them. */
  stop(): Promise<void>
}

/** Throws if two jobs have the same name, because one of them would never run. */
function indexByName<D>(jobs: readonly RunnableJob<D>[]): Map<string, RunnableJob<D>> {
  const jobsByName = new Map<string, RunnableJob<D>>()
  for (const job of jobs) {
    if (jobsByName.has(job.name)) throw new Error(`Duplicate job name: ${job.name}`)
    jobsByName.set(job.name, job)
  }
  return jobsByName
}

export interface RunnerOptions {
  /** Whether the jobs of the lane have to wait, although slots are free. */
  isHeldBack?: (lane: Lane) => Promise<boolean>
}

function createLanes<D>(jobs: readonly RunnableJob<D>[]) {
  return lanesInOrder.map((lane) => ({
    lane,
    slots: laneSlots[lane],
    isHeldBack: false,
    names: jobs.filter((job) => job.lane === lane).map(({ name }) => name),
    running: new Set<Promise<void>>(),
  }))
}

export function createJobRunner<D extends RunnerDeps>(
  deps: D,
  jobs: readonly RunnableJob<D>[],
  { isHeldBack = async () => false }: RunnerOptions = {},
): JobRunner {
  const jobsByName = indexByName(jobs)
  const lanes = createLanes(jobs)
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let isStarted = false
  let filling: Promise<void> | null = null
  let isPollPending = false
  const runningIds = new Set<string>()
  let hasLostClaim = false

  /** Runs the handler. Returns how to record the result; null if the server stops before there is one. */
  async function runHandler(
    job: RunnableJob<D>,
    row: JobRow,
    signal: AbortSignal,
  ): Promise<(() => Promise<void>) | null> {
    const retryDelay = job.retryDelays[row.attempts - 1]
    try {
      await job.run(deps, JSON.parse(row.payload), {
        attempt: row.attempts,
        isLastAttempt: retryDelay === undefined,
        signal,
      })
      return () => finishJob(deps.db, row, job.every !== null)
    } catch (error) {
      if (stopping.signal.aborted) return null
      deps.log.error({ err: error, job: row.name, attempt: row.attempts }, 'job failed')
      // A job does not fail for good because the database was away.
      const isOver =
        error instanceof PermanentJobError || (retryDelay === undefined && !isDatabaseUnavailable(error))
      const retryAt = isOver ? null : deps.now() + (retryDelay ?? outageRetryDelay)
      return () => failJob(deps.db, row, String(error), retryAt)
    }
  }

  /** Records the result of a job as soon as the database is there. Otherwise the job would run again. */
  async function record(write: () => Promise<void>): Promise<void> {
    for (;;)
      try {
        await write()
        return
      } catch (error) {
        if (!isDatabaseUnavailable(error) || stopping.signal.aborted) throw error
        await sleep(recordPauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      }
  }

  async function runJob(row: JobRow): Promise<void> {
    const job = jobsByName.get(row.name)
    if (!job) return
    const leaseLost = new AbortController()
    const heartbeat = setInterval(() => {
      extendLease(deps.db, row, deps.now()).then(
        (isHeld) => isHeld || leaseLost.abort(new Error('lease lost')),
        (error: unknown) => deps.log.warn({ err: error, job: row.name }, 'job lease could not be extended'),
      )
    }, heartbeatMs)
    try {
      const write = await runHandler(job, row, AbortSignal.any([stopping.signal, leaseLost.signal]))
      if (write) await record(write)
    } finally {
      clearInterval(heartbeat)
    }
  }

  function launch(row: JobRow, running: Set<Promise<void>>): void {
    runningIds.add(row.id)
    const task = runJob(row)
      .catch((error: unknown) =>
        deps.log.error({ err: error, job: row.name }, 'job result could not be recorded'),
      )
      .finally(() => {
        running.delete(task)
        runningIds.delete(row.id)
        if (isStarted) poll()
      })
    running.add(task)
  }

  /** Remembers a failure, because the job may be claimed although the answer of the database was lost. */
  async function claim(names: readonly string[]): Promise<JobRow | null> {
    try {
      return await claimJob(deps.db, names, deps.nodeId, deps.now())
    } catch (error) {
      hasLostClaim = true
      throw error
    }
  }

  async function fillLane(lane: (typeof lanes)[number]): Promise<number> {
    let launched = 0
    while (lane.names.length > 0 && lane.running.size < lane.slots && !stopping.signal.aborted) {
      const row = await claim(lane.names)
      if (!row) break
      launch(row, lane.running)
      launched += 1
    }
    return launched
  }

  /** Returns how many jobs were started. Short ones may have finished already. */
  async function fillOnce(): Promise<number> {
    if (hasLostClaim) await releaseLeases(deps.db, deps.nodeId, [...runningIds])
    hasLostClaim = false
    for (const job of jobs)
      if (job.every !== null) await addRepeating(deps.db, job.name, job.every, deps.now())
    let launched = 0
    for (const lane of lanes) {
      lane.isHeldBack = await isHeldBack(lane.lane)
      if (!lane.isHeldBack) launched += await fillLane(lane)
    }
    return launched
  }

  async function fill(): Promise<void> {
    do {
      isPollPending = false
      await fillOnce()
    } while (isPollPending)
    if (stopping.signal.aborted || !isStarted) return
    // A full lane polls when one of its jobs ends, so it needs no timer. A held back one is asked at the next poll.
    const names = lanes
      .filter((lane) => !lane.isHeldBack && lane.running.size < lane.slots)
      .flatMap((lane) => lane.names)
    const due = await findNextDueTime(deps.db, names)
    const untilDue = Math.max(minPauseMs, (due ?? Number.POSITIVE_INFINITY) - deps.now())
    timer = setTimeout(poll, Math.min(maxPauseMs, untilDue))
  }

  function poll(): void {
    if (stopping.signal.aborted) return
    clearTimeout(timer)
    if (filling !== null) {
      isPollPending = true
      return
    }
    filling = fill()
      .catch((error: unknown) => {
        deps.log.error({ err: error }, 'jobs could not be claimed')
        timer = setTimeout(poll, maxPauseMs)
      })
      .finally(() => {
        filling = null
      })
  }

  return {
    async runUntilIdle() {
      for (;;) {
        // A job that finished meanwhile may have added another in a lane that was already filled.
        const launched = await fillOnce()
        const running = lanes.flatMap((lane) => [...lane.running])
        if (launched === 0 && running.length === 0) return
        await Promise.all(running)
      }
    },
    start() {
      isStarted = true
      poll()
    },
    wake: poll,
    async stop() {
      stopping.abort(new Error('the server is stopping'))
      clearTimeout(timer)
      await filling
      await Promise.allSettled(lanes.flatMap((lane) => [...lane.running]))
    },
  }
}
