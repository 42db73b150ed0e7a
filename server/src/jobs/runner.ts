import type { Logger } from 'pino'
import type { Db } from '#db/client.ts'
import { GiveUp, type RunnableJob } from './define-job.ts'
import { addRepeating, claim, extendLease, fail, finish, type JobRow, nextDue } from './queue.ts'

const heartbeat = 15_000
/** Looks at least this often, for jobs added by other processes. */
const longestPause = 5_000
/** A job is told of inside its transaction: for so long its commit is looked for this often. */
const commitWithin = 2_000
const commitPause = 25

export interface RunnerDeps {
  db: Db
  log: Logger
  now: () => number
  /** Named in leases. */
  nodeId: string
}

export interface JobRunner {
  /** Runs what is due now and what that adds, and resolves when nothing is. For tests and the CLI. */
  runUntilIdle(): Promise<void>
  start(): void
  /** Says that a job was added, in a transaction that may still be open. */
  wake(): void
  /** Stops taking jobs and waits for the running ones, which are told by their signal. */
  stop(): Promise<void>
}

/** Refuses to start on two jobs of one name: one of them would never run. */
function byName<D>(jobs: readonly RunnableJob<D>[]): Map<string, RunnableJob<D>> {
  const known = new Map<string, RunnableJob<D>>()
  for (const job of jobs) {
    if (known.has(job.name)) throw new Error(`two jobs are called ${job.name}`)
    known.set(job.name, job)
  }
  return known
}

export function createJobRunner<D extends RunnerDeps>(
  deps: D,
  jobs: readonly RunnableJob<D>[],
  slots = 2,
): JobRunner {
  const known = byName(jobs)
  const names = [...known.keys()]
  const lanes = [true, false].map((isLong) => ({
    names: jobs.filter((job) => job.isLong === isLong).map(({ name }) => name),
    running: new Set<Promise<void>>(),
  }))
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let started = false
  let filling: Promise<void> | null = null
  let again = false
  let expectUntil = 0

  async function work(row: JobRow): Promise<void> {
    const job = known.get(row.name)
    if (!job) return
    const lost = new AbortController()
    const beat = setInterval(() => {
      extendLease(deps.db, row, deps.now()).then(
        (held) => held || lost.abort(new Error('lease lost')),
        (error: unknown) =>
          deps.log.warn({ err: error, job: row.name }, 'a job’s lease could not be extended'),
      )
    }, heartbeat)
    const retryDelay = job.retryDelays[row.attempts - 1]
    try {
      await job.run(deps, JSON.parse(row.payload), {
        attempt: row.attempts,
        isLastAttempt: retryDelay === undefined,
        signal: AbortSignal.any([stopping.signal, lost.signal]),
      })
      await finish(deps.db, row, job.every !== null)
    } catch (error) {
      if (stopping.signal.aborted) return
      deps.log.error({ err: error, job: row.name, attempt: row.attempts }, 'a job failed')
      const isOver = retryDelay === undefined || error instanceof GiveUp
      await fail(deps.db, row, String(error), isOver ? null : deps.now() + retryDelay)
    } finally {
      clearInterval(beat)
    }
  }

  function launch(row: JobRow, running: Set<Promise<void>>): void {
    const task = work(row)
      .catch((error: unknown) =>
        deps.log.error({ err: error, job: row.name }, 'a job’s end could not be recorded'),
      )
      .finally(() => {
        running.delete(task)
        if (started) look()
      })
    running.add(task)
  }

  async function fillLane(lane: (typeof lanes)[number]): Promise<number> {
    let launched = 0
    while (lane.names.length > 0 && lane.running.size < slots && !stopping.signal.aborted) {
      const row = await claim(deps.db, lane.names, deps.nodeId, deps.now())
      if (!row) break
      launch(row, lane.running)
      launched += 1
    }
    return launched
  }

  /** Answers how many jobs it has begun; short ones may have ended by then. */
  async function fillOnce(): Promise<number> {
    for (const job of jobs)
      if (job.every !== null) await addRepeating(deps.db, job.name, job.every, deps.now())
    let launched = 0
    for (const lane of lanes) launched += await fillLane(lane)
    return launched
  }

  async function fill(): Promise<void> {
    do {
      again = false
      await fillOnce()
    } while (again)
    if (stopping.signal.aborted || !started) return
    const due = await nextDue(deps.db, names)
    const untilDue = Math.max(commitPause, (due ?? Number.POSITIVE_INFINITY) - deps.now())
    const longest = performance.now() < expectUntil ? commitPause : longestPause
    timer = setTimeout(look, Math.min(longest, untilDue))
  }

  function look(): void {
    if (stopping.signal.aborted) return
    clearTimeout(timer)
    if (filling !== null) {
      again = true
      return
    }
    filling = fill()
      .catch((error: unknown) => {
        deps.log.error({ err: error }, 'jobs could not be claimed')
        timer = setTimeout(look, longestPause)
      })
      .finally(() => {
        filling = null
      })
  }

  return {
    async runUntilIdle() {
      for (;;) {
        // What has ended already may have added to what this look had passed by.
        const launched = await fillOnce()
        const running = lanes.flatMap((lane) => [...lane.running])
        if (launched === 0 && running.length === 0) return
        await Promise.all(running)
      }
    },
    start() {
      started = true
      look()
    },
    wake() {
      expectUntil = performance.now() + commitWithin
      look()
    },
    async stop() {
      stopping.abort(new Error('the server is stopping'))
      clearTimeout(timer)
      await filling
      await Promise.allSettled(lanes.flatMap((lane) => [...lane.running]))
    },
  }
}
