import {
  failedJobsMaximum,
  type PartStatus,
  type PartTestResult,
  type StatusPart,
  type SystemStatus,
  statusPart,
  statusParts,
} from '@lyceum/contract/status'
import { appVersion } from '#backup/archive-format.ts'
import { hasWorker } from '#cluster/cluster-state.ts'
import { listNodes } from '#cluster/node-store.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { audit, auditAlone } from '../audit/append.ts'
import { type PartReading, removeCredentials } from './facts.ts'
import { describeSearchMeanwhile, findEmbeddingsFailure } from './model-parts.ts'
import { partReaders } from './part-status.ts'
import { runPartTest } from './part-tests.ts'

/** In milliseconds. One part that hangs must not delay the others. */
const partTimeout = 2_000

async function withTimeout(reading: Promise<PartReading>): Promise<PartReading> {
  const { promise: tooLate, resolve } = Promise.withResolvers<PartReading>()
  const words = `No response within ${partTimeout / 1000} seconds.`
  const timer = setTimeout(resolve, partTimeout, { state: 'unknown', words, facts: [] })
  try {
    return await Promise.race([reading, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

export async function readPart(deps: Deps, part: StatusPart): Promise<PartStatus> {
  const reading = partReaders[part](deps).catch((error: unknown): PartReading => {
    deps.log.error({ err: error, part }, 'could not read the state of a part')
    return { state: 'failing', words: 'The check failed. See the log for the reason.', facts: [] }
  })
  return { part, ...(await withTimeout(reading)) }
}

type PartInTrouble = Pick<PartStatus, 'part' | 'words' | 'failedAt'>

/** Parts that people notice when they fail, and whose state is cheap to read. */
const watchedParts = ['mail', 'model', 'reranking', 'backups', 'audit-stream', 'webhooks'] as const

async function listFailingEmbeddings(deps: Deps): Promise<PartInTrouble[]> {
  const failing = await findEmbeddingsFailure(deps)
  return failing === null
    ? []
    : [{ part: 'embeddings', ...failing, words: `${failing.words} ${await describeSearchMeanwhile(deps)}` }]
}

/** The watched parts with a problem, each with a sentence. */
export async function listPartsInTrouble(deps: Deps): Promise<PartInTrouble[]> {
  const parts = await Promise.all(watchedParts.map((part) => readPart(deps, part)))
  const inTrouble = parts
    .filter(({ state }) => state === 'failing' || state === 'attention')
    .map(({ part, words, failedAt }) => ({ part, words, ...(failedAt && { failedAt }) }))
  return [...inTrouble, ...(await listFailingEmbeddings(deps))]
}

async function getJobsStatus({ cluster, jobs }: Deps): Promise<SystemStatus['jobs']> {
  const [waiting, running, failed, failedJobs] = await Promise.all([
    jobs.count('waiting'),
    jobs.count('running'),
    jobs.count('failed'),
    jobs.listFailures(failedJobsMaximum),
  ])
  const failures = failedJobs.map(({ id, name, attempts, last_error, created_at }) => ({
    _id: id,
    name,
    attempts,
    error: removeCredentials(last_error ?? ''),
    addedAt: new Date(created_at).toISOString(),
  }))
  return { hasWorker: hasWorker(cluster), waiting, running, failed, failures }
}

async function listServers({ db }: Deps): Promise<SystemStatus['nodes']> {
  const nodes = await listNodes(db)
  return nodes.map(({ id, name, role, state, version, seen_at, clock_difference }) => ({
    _id: id,
    name,
    role,
    state,
    version,
    clockDifference: clock_difference,
    lastSeenAt: new Date(seen_at).toISOString(),
  }))
}

export async function getSystemStatus(deps: Deps): Promise<SystemStatus> {
  const parts = await Promise.all(statusParts.map((part) => readPart(deps, part)))
  return {
    version: appVersion(),
    at: new Date(deps.now()).toISOString(),
    parts,
    nodes: await listServers(deps),
    jobs: await getJobsStatus(deps),
  }
}

export async function testPart(deps: Deps, actor: Actor, name: string): Promise<PartTestResult> {
  const part = statusPart.safeParse(name)
  if (!part.success) throw notFound()
  const startedAt = performance.now()
  const outcome = await runPartTest(deps, actor, part.data)
  await auditAlone(deps, {
    actor,
    action: 'settings.tested',
    result: outcome.ok ? 'ok' : 'failed',
    after: { part: part.data },
  })
  return { ...outcome, milliseconds: Math.round(performance.now() - startedAt) }
}

export function retryJob(deps: Deps, actor: Actor, id: string): Promise<void> {
  return deps.db.transaction().execute(async (tx) => {
    const name = await deps.jobs.retry(tx, id)
    if (name === null) throw notFound()
    await audit(deps, tx, { actor, action: 'job.retried', after: { job: name } })
  })
}
