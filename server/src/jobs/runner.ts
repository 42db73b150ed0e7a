import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Db } from '#db/client.ts'
import { isDatabaseUnavailable } from '#db/database-unavailable.ts'
import { isPostgres } from '#db/dialect.ts'
import { type Lane, laneSlots, PermanentJobError, type RunnableJob } from './define-job.ts'
import { isOutage } from './outage.ts'
import {
  addRepeating,
  claimJob,
  extendLease,
  failJob,
  findNextDelay,
  finishJob,
  type JobRow,
  releaseLeases,
} from './queue.ts'

const lanesInOrder = Object.keys(laneSlots) as Lane[]
const heartbeatMs = 15_000
/** The longest time between two polls where PostgreSQL notifies servers of jobs that other processes add. */
const fallbackPauseMs = 30_000
/** The same on SQLite, where only polling finds such jobs; and the time before an attempt that failed is repeated. */
const shortPauseMs = 5_000
const minPauseMs = 25
/** Time between two attempts to record a result while the database is away. */
const recordPauseMs = 1000
/** Before the next attempt of a job that has no retries left and failed because another server was away. */
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
  /** Claims the job of this name that was added. */
  wake(name: string): void
  /** Looks for jobs of all lanes now, because the runner may not have been woken for some. */
  poll(): void
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

/** The signal aborts a task that may no longer run alone. */
type RunAlone = (name: string, task: (lost: AbortSignal) => Promise<void>) => Promise<unknown>

export interface RunnerOptions {
  /** Runs the task unless one with this name is running on any server. Needed if a job is defined so. */
  runAlone?: RunAlone
  /** When jobs are due is decided by this clock; that of the process by default. */
  now?: () => number
  /** Whether the jobs of the lane have to wait, although slots are free. */
  isHeldBack?: (lane: Lane) => Promise<boolean>
}

interface LaneState {
  name: Lane
  slots: number
  isHeldBack: boolean
  jobNames: readonly string[]
  running: Set<Promise<void>>
}

function createLanes<D>(jobs: readonly RunnableJob<D>[]): LaneState[] {
  return lanesInOrder.map((lane) => ({
    name: lane,
    slots: laneSlots[lane],
    isHeldBack: false,
    jobNames: jobs.filter((job) => job.lane === lane).map(({ name }) => name),
    running: new Set(),
  }))
}

interface HandlerContext {
  now: () => number
  runAlone: RunAlone
  signal: AbortSignal
  stopping: AbortSignal
}

function refuseAlone(): never {
  throw new Error('this runner has no `runAlone`')
}

/** Runs the handler. Returns how to record the result; null if the server stops before there is one. */
async function runHandler<D extends RunnerDeps>(
  deps: D,
  job: RunnableJob<D>,
  row: JobRow,
  { now, runAlone, signal, stopping }: HandlerContext,
): Promise<(() => Promise<void>) | null> {
  const retryDelay = job.retryDelays[row.attempts - 1]
  function run(jobSignal: AbortSignal): Promise<void> {
    return job.run(deps, JSON.parse(row.payload), {
      attempt: row.attempts,
      isLastAttempt: retryDelay === undefined,
      signal: jobSignal,
    })
  }
  try {
    if (job.alone === null) await run(signal)
    else await runAlone(job.alone, (lost) => run(AbortSignal.any([signal, lost])))
    return () => finishJob(deps.db, row, job.every !== null)
  } catch (error) {
    if (stopping.aborted) return null
    deps.log.error({ err: error, job: row.name, attempt: row.attempts }, 'job failed')
    const isOver = error instanceof PermanentJobError || (retryDelay === undefined && !isOutage(error))
    const retryAt = isOver ? null : now() + (retryDelay ?? outageRetryDelay)
    return () => failJob(deps.db, row, String(error), retryAt)
  }
}

/** Records the result of a job as soon as the database is there. Otherwise the job would run again. */
async function record(write: () => Promise<void>, stopping: AbortSignal): Promise<void> {
  for (;;)
    try {
      await write()
      return
    } catch (error) {
      if (!isDatabaseUnavailable(error) || stopping.aborted) throw error
      await sleep(recordPauseMs, undefined, { signal: stopping }).catch(() => undefined)
    }
}

export function createJobRunner<D extends RunnerDeps>(
  deps: D,
  jobs: readonly RunnableJob<D>[],
  { now = deps.now, isHeldBack = async () => false, runAlone = refuseAlone }: RunnerOptions = {},
): JobRunner {
  const jobsByName = indexByName(jobs)
  const lanes = createLanes(jobs)
  const maxPauseMs = isPostgres(deps.db as never) ? fallbackPauseMs : shortPauseMs
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  /** When the timer fires. */
  let pollAt = Number.POSITIVE_INFINITY
  let isStarted = false
  let filling: Promise<void> | null = null
  const toFill = new Set<LaneState>()
  let isRepeatingDue = false
  const runningIds = new Set<string>()
  let hasLostClaim = false

  async function runJob(row: JobRow): Promise<void> {
    const job = jobsByName.get(row.name)
    if (!job) return
    const leaseLost = new AbortController()
    const heartbeat = setInterval(() => {
      extendLease(deps.db, row, now()).then(
        (isHeld) => isHeld || leaseLost.abort(new Error('lease lost')),
        (error: unknown) => deps.log.warn({ err: error, job: row.name }, 'job lease could not be extended'),
      )
    }, heartbeatMs)
    try {
      const write = await runHandler(deps, job, row, {
        now,
        runAlone,
        signal: AbortSignal.any([stopping.signal, leaseLost.signal]),
        stopping: stopping.signal,
      })
      if (write) await record(write, stopping.signal)
    } finally {
      clearInterval(heartbeat)
    }
  }

  function launch(row: JobRow, lane: LaneState): void {
    runningIds.add(row.id)
    const task = runJob(row)
      .catch((error: unknown) =>
        deps.log.error({ err: error, job: row.name }, 'job result could not be recorded'),
      )
      .finally(() => {
        lane.running.delete(task)
        runningIds.delete(row.id)
        if (isStarted) fill([lane])
      })
    lane.running.add(task)
  }

  /** Remembers a failure, because the job may be claimed although the answer of the database was lost. */
  async function claim(names: readonly string[]): Promise<JobRow | null> {
    try {
      return await claimJob(deps.db, names, deps.nodeId, now())
    } catch (error) {
      hasLostClaim = true
      throw error
    }
  }

  /** Starts due jobs while slots are free. Returns how many; short ones may have finished already. */
  async function fillLane(lane: LaneState): Promise<number> {
    if (lane.jobNames.length === 0) return 0
    if (hasLostClaim) await releaseLeases(deps.db, deps.nodeId, [...runningIds])
    hasLostClaim = false
    lane.isHeldBack = await isHeldBack(lane.name)
    let launched = 0
    while (!lane.isHeldBack && lane.running.size < lane.slots && !stopping.signal.aborted) {
      const row = await claim(lane.jobNames)
      if (!row) break
      launch(row, lane)
      launched += 1
    }
    return launched
  }

  async function addAllRepeating(): Promise<void> {
    for (const job of jobs) if (job.every !== null) await addRepeating(deps.db, job.name, job.every, now())
  }

  /** When the next run of a repeating job is due. */
  function findNextSlot(): number {
    const intervals = jobs.flatMap(({ every }) => (every === null ? [] : [every]))
    return Math.min(...intervals.map((every) => (Math.floor(now() / every) + 1) * every))
  }

  /** Polls at `time`, unless a poll is planned before. */
  function pollBy(time: number): void {
    if (time >= pollAt || stopping.signal.aborted) return
    clearTimeout(timer)
    pollAt = time
    timer = setTimeout(poll, Math.max(minPauseMs, time - now()))
  }

  async function fillLanes(): Promise<void> {
    if (isRepeatingDue) {
      isRepeatingDue = false
      await addAllRepeating()
    }
    for (const lane of toFill) {
      toFill.delete(lane)
      await fillLane(lane)
      if (lane.isHeldBack) pollBy(now() + shortPauseMs)
      // A full lane is filled again when one of its jobs ends.
      if (lane.isHeldBack || lane.running.size >= lane.slots) continue
      const delay = await findNextDelay(deps.db, lane.jobNames, now())
      if (delay !== null) pollBy(now() + delay)
    }
  }

  /** Only these lanes, because a job was added to them or has ended. */
  function fill(wanted: readonly LaneState[]): void {
    if (stopping.signal.aborted) return
    for (const lane of wanted) toFill.add(lane)
    filling ??= fillLanes()
      .catch((error: unknown) => {
        // The next poll fills all lanes.
        toFill.clear()
        pollBy(now() + shortPauseMs)
        deps.log.error({ err: error }, 'jobs could not be claimed')
      })
      .finally(() => {
        filling = null
        if (toFill.size > 0) fill([])
      })
  }

  function poll(): void {
    pollAt = Number.POSITIVE_INFINITY
    pollBy(Math.min(now() + maxPauseMs, findNextSlot()))
    isRepeatingDue = true
    fill(lanes)
  }

  return {
    async runUntilIdle() {
      for (;;) {
        await addAllRepeating()
        // A job that finished meanwhile may have added another in a lane that was already filled.
        let launched = 0
        for (const lane of lanes) launched += await fillLane(lane)
        const running = lanes.flatMap((lane) => [...lane.running])
        if (launched === 0 && running.length === 0) return
        await Promise.all(running)
      }
    },
    start() {
      isStarted = true
      poll()
    },
    wake(name) {
      const lane = lanes.find(({ jobNames }) => jobNames.includes(name))
      if (lane && isStarted) fill([lane])
    },
    poll() {
      if (isStarted) poll()
    },
    async stop() {
      stopping.abort(new Error('the server is stopping'))
      clearTimeout(timer)
      await filling
      await Promise.allSettled(lanes.flatMap((lane) => [...lane.running]))
    },
  }
}
