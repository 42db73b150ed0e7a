import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAdmin, createTestChannel, createUser } from '../../server/src/testing/factories.ts'
import { createHttpClient } from '../../server/src/testing/http-client.ts'
import { type Figure, type Measure, median } from '../figures.ts'
import { type Process, startServerOn, withFolder } from '../server-process.ts'
import { type Activity, createChatter, createEditor, createReader } from '../soak/activities.ts'
import { startModel } from '../streams/processes.ts'
import { withDeps } from '../with-deps.ts'

const usualMinutes = 30
const chatters = 12
const sampleMs = 5000
/** Users think between two rounds, so that the server is busy but not overloaded. */
const pauseMs = 1500

interface Sample {
  memory: number
  openFiles: number
}

async function createTokens(folder: string) {
  return withDeps(folder, async (deps) => {
    const channelId = await createTestChannel(deps)
    const permissions = { canViewChatHistory: true, canExportChatHistory: true }
    const admin = await createAdmin(deps, { permissions, channels: [channelId] })
    const users: string[] = []
    for (let at = 0; at < chatters; at += 1)
      users.push((await createUser(deps, { channels: [channelId] })).token)
    return { channelId, admin: admin.token, users }
  })
}

interface Work {
  rounds: number
  failures: string[]
}

async function repeat(activity: Activity, isOver: () => boolean, work: Work): Promise<void> {
  for (let round = 0; !isOver(); round += 1) {
    try {
      await activity(round)
      work.rounds += 1
    } catch (error) {
      work.failures.push(String(error))
    }
    await sleep(pauseMs * (0.5 + (round % 10) / 10))
  }
}

async function takeSamples(server: Process, minutes: number): Promise<Sample[]> {
  const samples: Sample[] = []
  const end = performance.now() + minutes * 60_000
  while (performance.now() < end) {
    await sleep(sampleMs)
    samples.push({ memory: server.memory(), openFiles: server.openFiles() })
  }
  return samples
}

/** Compares the medians of the last two quarters: by then all caches are full. */
function toGrowth(samples: readonly Sample[], read: (sample: Sample) => number): number {
  const values = samples.map(read)
  const quarter = Math.floor(values.length / 4)
  return (median(values.slice(-quarter)) / median(values.slice(-2 * quarter, -quarter)) - 1) * 100
}

async function countFiles(folder: string): Promise<number> {
  return (await readdir(folder).catch(() => [])).length
}

async function run(folder: string, minutes: number, logStep: (step: string) => void): Promise<Figure[]> {
  const { channelId, admin, users } = await createTokens(folder)
  const model = await startModel({ tokens: 60, delayMs: 20 })
  const server = await startServerOn(folder, { OPENAI_BASE_URL: `${model.url}/v1`, EMBEDDING_MODEL: 'none' })
  try {
    logStep(`working for ${minutes} minutes`)
    const atRest = server.memory()
    let isOver = false
    const work: Work = { rounds: 0, failures: [] }
    const adminClient = createHttpClient(server.url, admin)
    const activities = [
      ...users.map((token) => createChatter(createHttpClient(server.url, token), channelId)),
      createEditor(adminClient, channelId),
      createReader(adminClient),
    ]
    const working = activities.map((activity) => repeat(activity, () => isOver, work))
    const samples = await takeSamples(server, minutes)
    isOver = true
    await Promise.all(working)
    for (const failure of new Set(work.failures)) logStep(failure)
    logStep('resting')
    await sleep(60_000)
    const memory = samples.map((sample) => sample.memory)
    return [
      {
        label: 'rounds that failed',
        value: work.failures.length,
        unit: '',
        max: 0,
        note: `of ${work.rounds}`,
      },
      {
        label: 'growth of resident memory from the third to the fourth quarter',
        value: toGrowth(samples, (sample) => sample.memory),
        unit: '%',
        max: 5,
        note: `median of the last quarter ${median(memory.slice(-Math.floor(memory.length / 4))).toFixed(0)} MB`,
      },
      { label: 'highest resident memory', value: Math.max(...memory), unit: 'MB' },
      { label: 'resident memory at the start', value: atRest, unit: 'MB' },
      { label: 'the same after a minute of rest', value: server.memory(), unit: 'MB' },
      {
        label: 'growth of open files from the third to the fourth quarter',
        value: toGrowth(samples, (sample) => sample.openFiles),
        unit: '%',
        max: 5,
      },
      { label: 'files left in spool', value: await countFiles(join(folder, 'spool')), unit: '', max: 0 },
    ]
  } finally {
    await server.stop()
    await model.stop()
  }
}

export const soak: Measure = {
  name: 'soak',
  title: 'Memory, open files and temporary files during work of many minutes',
  isLong: true,
  run: (logStep, { minutes }) => withFolder((folder) => run(folder, minutes ?? usualMinutes, logStep)),
}
