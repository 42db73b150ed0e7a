import { join } from 'node:path'
import { createTestChannel } from '../../server/src/testing/factories.ts'
import { type Figure, type Measure, percentile } from '../figures.ts'
import { type Process, startServerOn, withFolder } from '../server-process.ts'
import { type ChatTarget, createChannelWithDocument, createChatTargets } from '../streams/chat-targets.ts'
import { type OpenWebui, startOpenWebui } from '../streams/open-webui.ts'
import { startModel, startRelay } from '../streams/processes.ts'
import { readStreams, type StreamRequest, type Timing } from '../streams/read-stream.ts'
import { withDeps } from '../with-deps.ts'

/** Replies at once, beside the relay in the same run. */
const counts = [100, 250, 500] as const
/** Replies at once with a search, and in a burst. */
const smallCount = counts[0]
const mostAtOnce = Math.max(...counts)
const tokens = 200
const tokenIntervalMs = 50
/** Streams start within this time; each lasts longer, so that for a while all of them run. */
const startWindowMs = 5000
const warmUp = 20
const memorySampleMs = 250

const question = 'How many days of vacation do I have, and can I carry them over?'

function createRelayRequests({ url }: Process): StreamRequest[] {
  return Array.from({ length: mostAtOnce }, () => ({
    url,
    headers: {},
    body: JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: question }] }),
    firstToken: 'Alpha',
  }))
}

function createServerRequests({ url }: Process, callers: readonly ChatTarget[]): StreamRequest[] {
  return callers.map(({ path, headers }) => ({
    url: url + path,
    headers,
    body: JSON.stringify({ message: question }),
    firstToken: 'Alpha',
  }))
}

interface Sample {
  timings: Timing[]
  /** Streams that the server was too busy to start. */
  refused: number
  /** CPU time in milliseconds. */
  cpu: number
  /** Highest resident memory in megabytes. */
  memory: number
}

async function measureStreams(
  process: Process,
  requests: readonly StreamRequest[],
  within = startWindowMs,
): Promise<Sample> {
  const before = process.cpu()
  let memory = process.memory()
  const sampling = setInterval(() => {
    memory = Math.max(memory, process.memory())
  }, memorySampleMs)
  try {
    const read = await readStreams(requests, within)
    return { ...read, cpu: process.cpu() - before, memory }
  } finally {
    clearInterval(sampling)
  }
}

function listFirstTokenTimes({ timings }: Sample): number[] {
  return timings.map(({ first }) => first)
}
function computeCpuPerThousandTokens({ timings, cpu }: Sample): number {
  return (cpu / (timings.length * tokens)) * 1000
}

function toLatencyFigures(
  label: string,
  ours: readonly number[],
  floor: readonly number[],
  max?: number,
): Figure[] {
  return [50, 95, 99].map((percent) => ({
    label: `${label}, p${percent}`,
    value: percentile(ours, percent) - percentile(floor, percent),
    unit: 'ms',
    ...(max && percent === 95 ? { max } : {}),
    note: `relay ${percentile(floor, percent).toFixed(0)} ms, including the model’s delay of ${tokenIntervalMs} ms`,
  }))
}

/** Empty chats, a new set for each round: a follow-up question would cost an additional model call. */
interface Chats {
  plain: ChatTarget[][]
  grounded: ChatTarget[][]
}

interface Pair {
  ours: Sample
  floor: Sample
}

async function compare(server: Process, relay: Process, { plain, grounded }: Chats) {
  const relayRequests = createRelayRequests(relay)
  async function measurePair(chats: readonly ChatTarget[], within?: number): Promise<Pair> {
    const floor = await measureStreams(relay, relayRequests.slice(0, chats.length), within)
    return { floor, ours: await measureStreams(server, createServerRequests(server, chats), within) }
  }
  const [warmPlain = [], burst = [], ...sets] = plain
  const [warmGrounded = [], searched = []] = grounded
  for (const chats of [warmPlain, warmGrounded]) await measurePair(chats.slice(0, warmUp), 500)
  const byCount: { count: number; pair: Pair }[] = []
  for (const [at, count] of counts.entries())
    byCount.push({ count, pair: await measurePair((sets[at] ?? []).slice(0, count)) })
  return {
    byCount,
    searched: await measurePair(searched),
    burst: await measurePair(burst.slice(0, smallCount), 0),
  }
}

function listWholeTimes({ timings }: Sample): number[] {
  return timings.map(({ whole }) => whole)
}

function toPairFigures(label: string, { ours, floor }: Pair): Figure[] {
  const [relayCost, ourCost] = [computeCpuPerThousandTokens(floor), computeCpuPerThousandTokens(ours)]
  return [
    ...toLatencyFigures(
      `${label}: first token after the relay’s`,
      listFirstTokenTimes(ours),
      listFirstTokenTimes(floor),
      50,
    ),
    {
      label: `${label}: last token after the relay’s, p95`,
      value: percentile(listWholeTimes(ours), 95) - percentile(listWholeTimes(floor), 95),
      unit: 'ms',
      max: 100,
    },
    { label: `${label}: refused because the server was busy`, value: ours.refused, unit: '', max: 0 },
    {
      label: `${label}: CPU per 1,000 tokens, ours ÷ relay`,
      value: ourCost / relayCost,
      unit: '×',
      max: 2.5,
      note: `${ourCost.toFixed(0)} and ${relayCost.toFixed(0)} ms, all threads, including sending and saving`,
    },
    { label: `${label}: highest resident memory`, value: ours.memory, unit: 'MB', max: 350 },
  ]
}

function toFigures({ searched, burst, byCount }: Awaited<ReturnType<typeof compare>>): Figure[] {
  return [
    ...byCount.flatMap(({ count, pair }) => toPairFigures(`${count} at once`, pair)),
    ...toPairFigures(`${smallCount} with a search by words and vectors`, searched),
    ...toLatencyFigures(
      `${smallCount} started at the same instant: first token after the relay’s`,
      listFirstTokenTimes(burst.ours),
      listFirstTokenTimes(burst.floor),
    ),
    { label: `${smallCount} started at the same instant: refused`, value: burst.ours.refused, unit: '' },
  ]
}

/** The same numbers of replies from Open WebUI. It has no floor of its own: the relay's figures are above. */
async function measureOpenWebui({ process, createRequest }: OpenWebui): Promise<Figure[]> {
  const requests = Array.from({ length: mostAtOnce }, () => createRequest(question))
  await measureStreams(process, requests.slice(0, warmUp), 500)
  const figures: Figure[] = []
  for (const count of counts) {
    const sample = await measureStreams(process, requests.slice(0, count))
    const label = `Open WebUI, ${count} at once`
    figures.push(
      ...[50, 95].map((percent) => ({
        label: `${label}: first token, p${percent}`,
        value: percentile(listFirstTokenTimes(sample), percent),
        unit: 'ms',
        note: `including the model’s delay of ${tokenIntervalMs} ms`,
      })),
      { label: `${label}: failed`, value: sample.refused, unit: '' },
      { label: `${label}: CPU per 1,000 tokens`, value: computeCpuPerThousandTokens(sample), unit: 'ms' },
      { label: `${label}: highest resident memory`, value: sample.memory, unit: 'MB' },
    )
  }
  return figures
}

async function runOpenWebui(folder: string, modelUrl: string): Promise<Figure[]> {
  const openWebui = await startOpenWebui(folder, modelUrl)
  try {
    return await measureOpenWebui(openWebui)
  } finally {
    await openWebui.process.stop()
  }
}

export const streams: Measure = {
  name: 'streams',
  title: `Up to ${mostAtOnce} replies at once, ${tokens} tokens each at ${1000 / tokenIntervalMs} a second, against a bare relay`,
  run: (logStep, { besideOpenWebui }) =>
    withFolder(async (folder) => {
      const model = await startModel({ tokens, delayMs: tokenIntervalMs })
      const env = { OPENAI_BASE_URL: `${model.url}/v1` }
      logStep('creating users, chats and a document')
      const chats = await withDeps(
        folder,
        async (deps) => ({
          plain: await createChatTargets(deps, await createTestChannel(deps), mostAtOnce, counts.length + 2),
          grounded: await createChatTargets(deps, await createChannelWithDocument(deps), smallCount, 2),
        }),
        env,
      )
      const relay = await startRelay(`${model.url}/v1`)
      const server = await startServerOn(folder, env)
      try {
        logStep('streaming')
        const figures = toFigures(await compare(server, relay, chats))
        if (!besideOpenWebui) return figures
        logStep('streaming from Open WebUI')
        return [...figures, ...(await runOpenWebui(join(folder, 'open-webui'), `${model.url}/v1`))]
      } finally {
        await Promise.all([server.stop(), relay.stop(), model.stop()])
      }
    }),
}
