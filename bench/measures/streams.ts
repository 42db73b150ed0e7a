import { createTestChannel } from '../../server/src/testing/factories.ts'
import { type Figure, type Measure, percentile } from '../figures.ts'
import { type Process, startServerOn, withFolder } from '../server-process.ts'
import { type ChatTarget, createChannelWithDocument, createChatTargets } from '../streams/chat-targets.ts'
import { startModel, startRelay } from '../streams/processes.ts'
import { readStreams, type StreamRequest, type Timing } from '../streams/read-stream.ts'
import { withDeps } from '../with-deps.ts'

const streamsAtOnce = 100
const tokens = 80
const tokenIntervalMs = 50
/** Streams start within this time; each lasts longer, so that for a while all of them run. */
const startWindowMs = 3000
const rounds = 2
const warmUp = 20

const question = 'How many days of vacation do I have, and can I carry them over?'

function createRelayRequests({ url }: Process): StreamRequest[] {
  return Array.from({ length: streamsAtOnce }, () => ({
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
}

async function measureStreams(
  process: Process,
  requests: readonly StreamRequest[],
  within = startWindowMs,
): Promise<Sample> {
  const before = process.cpu()
  const read = await readStreams(requests, within)
  return { ...read, cpu: process.cpu() - before }
}

function mergeSamples(all: readonly Sample[]): Sample {
  return {
    timings: all.flatMap(({ timings }) => timings),
    refused: all.reduce((sum, { refused }) => sum + refused, 0),
    cpu: all.reduce((sum, { cpu }) => sum + cpu, 0),
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

async function compare(server: Process, relay: Process, { plain, grounded }: Chats) {
  const floor: Sample[] = []
  const ours: Sample[] = []
  const searched: Sample[] = []
  const relayRequests = createRelayRequests(relay)
  function toRequestSets(chats: ChatTarget[][]): StreamRequest[][] {
    return chats.map((callers) => createServerRequests(server, callers))
  }
  const [warmPlain = [], burstPlain = [], ...plainRounds] = toRequestSets(plain)
  const [warmGrounded = [], ...groundedRounds] = toRequestSets(grounded)
  await measureStreams(relay, relayRequests.slice(0, warmUp), 500)
  await measureStreams(server, warmPlain.slice(0, warmUp), 500)
  await measureStreams(server, warmGrounded.slice(0, warmUp), 500)
  for (let round = 0; round < rounds; round += 1) {
    floor.push(await measureStreams(relay, relayRequests))
    ours.push(await measureStreams(server, plainRounds[round] ?? []))
    searched.push(await measureStreams(server, groundedRounds[round] ?? []))
  }
  const burst = await measureStreams(server, burstPlain, 0)
  const burstFloor = await measureStreams(relay, relayRequests, 0)
  return {
    floor: mergeSamples(floor),
    ours: mergeSamples(ours),
    searched: mergeSamples(searched),
    burst,
    burstFloor,
  }
}

type Compared = Awaited<ReturnType<typeof compare>>

function toFigures({ floor, ours, searched, burst, burstFloor }: Compared, memory: number): Figure[] {
  const [relayCost, ourCost] = [computeCpuPerThousandTokens(floor), computeCpuPerThousandTokens(ours)]
  return [
    ...toLatencyFigures(
      'first token, delay beyond the relay, no documents',
      listFirstTokenTimes(ours),
      listFirstTokenTimes(floor),
      50,
    ),
    ...toLatencyFigures(
      'the same, with a search by words and vectors',
      listFirstTokenTimes(searched),
      listFirstTokenTimes(floor),
      50,
    ),
    ...toLatencyFigures(
      'the same, no documents, all started at once',
      listFirstTokenTimes(burst),
      listFirstTokenTimes(burstFloor),
    ),
    {
      label: 'streams refused because the server was busy',
      value: mergeSamples([ours, searched, burst]).refused,
      unit: '',
      max: 0,
      note: `${burst.refused} of those started at once`,
    },
    {
      label: 'last token, delay beyond the relay, p95',
      value:
        percentile(
          ours.timings.map(({ whole }) => whole),
          95,
        ) -
        percentile(
          floor.timings.map(({ whole }) => whole),
          95,
        ),
      unit: 'ms',
    },
    { label: 'CPU time per 1,000 tokens, relay', value: relayCost, unit: 'ms' },
    {
      label: 'CPU time per 1,000 tokens, ours',
      value: ourCost,
      unit: 'ms',
      note: 'all threads, including sending and saving',
    },
    { label: 'ours ÷ relay', value: ourCost / relayCost, unit: '×', max: 5 },
    {
      label: 'the same with a search, ours ÷ relay',
      value: computeCpuPerThousandTokens(searched) / relayCost,
      unit: '×',
    },
    { label: 'resident memory of the server at the end', value: memory, unit: 'MB' },
  ]
}

export const streams: Measure = {
  name: 'streams',
  title: `${streamsAtOnce} replies at once, ${tokens} tokens each at ${1000 / tokenIntervalMs} a second, against a bare relay`,
  run: (logStep) =>
    withFolder(async (folder) => {
      const model = await startModel({ tokens, delayMs: tokenIntervalMs })
      const env = { OPENAI_BASE_URL: `${model.url}/v1` }
      logStep('creating users, chats and a document')
      const chats = await withDeps(
        folder,
        async (deps) => ({
          plain: await createChatTargets(deps, await createTestChannel(deps), streamsAtOnce, rounds + 2),
          grounded: await createChatTargets(
            deps,
            await createChannelWithDocument(deps),
            streamsAtOnce,
            rounds + 1,
          ),
        }),
        env,
      )
      const relay = await startRelay(`${model.url}/v1`)
      const server = await startServerOn(folder, env)
      try {
        logStep('streaming')
        return toFigures(await compare(server, relay, chats), server.memory())
      } finally {
        await Promise.all([server.stop(), relay.stop(), model.stop()])
      }
    }),
}
