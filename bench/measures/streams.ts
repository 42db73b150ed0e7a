import { createTestChannel } from '../../server/src/testing/factories.ts'
import { type Figure, type Measure, percentile } from '../figures.ts'
import { withDeps } from '../records.ts'
import { type Process, startServerOn, withFolder } from '../server-process.ts'
import { type Caller, makeCallers, makeChannelWithDocument } from '../streams/callers.ts'
import { startModel, startRelay } from '../streams/processes.ts'
import { type Ask, readMany, type Timing } from '../streams/read-stream.ts'

const streamsAtOnce = 100
const tokens = 80
const tokenEvery = 50
/** Streams start within this time; each lasts longer, so that for a while all of them run. */
const beginWithin = 3000
const rounds = 2
const warmUp = 20

const question = 'How many days of vacation do I have, and can I carry them over?'

function askRelay({ url }: Process): Ask[] {
  return Array.from({ length: streamsAtOnce }, () => ({
    url,
    headers: {},
    body: JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: question }] }),
    firstToken: 'Alpha',
  }))
}

function askServer({ url }: Process, callers: readonly Caller[]): Ask[] {
  return callers.map(({ path, headers }) => ({
    url: url + path,
    headers,
    body: JSON.stringify({ message: question }),
    firstToken: 'Alpha',
  }))
}

interface Taken {
  timings: Timing[]
  /** Milliseconds of processor time. */
  cpu: number
}

async function take(process: Process, asks: readonly Ask[], within = beginWithin): Promise<Taken> {
  const before = process.cpu()
  const timings = await readMany(asks, within)
  return { timings, cpu: process.cpu() - before }
}

function together(all: readonly Taken[]): Taken {
  return {
    timings: all.flatMap(({ timings }) => timings),
    cpu: all.reduce((sum, { cpu }) => sum + cpu, 0),
  }
}

function firsts({ timings }: Taken): number[] {
  return timings.map(({ first }) => first)
}
function perThousand({ timings, cpu }: Taken): number {
  return (cpu / (timings.length * tokens)) * 1000
}

function added(what: string, ours: readonly number[], floor: readonly number[], bar?: number): Figure[] {
  return [50, 95, 99].map((percent) => ({
    what: `${what}, p${percent}`,
    value: percentile(ours, percent) - percentile(floor, percent),
    unit: 'ms',
    ...(bar && percent === 95 ? { bar } : {}),
    note: `relay ${percentile(floor, percent).toFixed(0)} ms, of which the model waits ${tokenEvery} ms`,
  }))
}

/** Empty chats, a new set for each round: a follow-up question would cost an additional model call. */
interface Chats {
  plain: Caller[][]
  grounded: Caller[][]
}

async function compare(server: Process, relay: Process, { plain, grounded }: Chats) {
  const floor: Taken[] = []
  const ours: Taken[] = []
  const searched: Taken[] = []
  const asRelay = askRelay(relay)
  function sets(chats: Caller[][]): Ask[][] {
    return chats.map((callers) => askServer(server, callers))
  }
  const [warmPlain = [], burstPlain = [], ...plainRounds] = sets(plain)
  const [warmGrounded = [], ...groundedRounds] = sets(grounded)
  await take(relay, asRelay.slice(0, warmUp), 500)
  await take(server, warmPlain.slice(0, warmUp), 500)
  await take(server, warmGrounded.slice(0, warmUp), 500)
  for (let round = 0; round < rounds; round += 1) {
    floor.push(await take(relay, asRelay))
    ours.push(await take(server, plainRounds[round] ?? []))
    searched.push(await take(server, groundedRounds[round] ?? []))
  }
  const burst = await take(server, burstPlain, 0)
  const burstFloor = await take(relay, asRelay, 0)
  return { floor: together(floor), ours: together(ours), searched: together(searched), burst, burstFloor }
}

type Compared = Awaited<ReturnType<typeof compare>>

function figuresOf({ floor, ours, searched, burst, burstFloor }: Compared, memory: number): Figure[] {
  const [relayCost, ourCost] = [perThousand(floor), perThousand(ours)]
  return [
    ...added('first token later than the relay’s, no documents', firsts(ours), firsts(floor), 50),
    ...added('the same, with a search by words and vectors', firsts(searched), firsts(floor), 50),
    ...added('the same, no documents, all begun at one instant', firsts(burst), firsts(burstFloor)),
    {
      what: 'last token later than the relay’s, p95',
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
    { what: 'processor time for 1,000 tokens, relay', value: relayCost, unit: 'ms' },
    {
      what: 'processor time for 1,000 tokens, ours',
      value: ourCost,
      unit: 'ms',
      note: 'all threads, sending and saving included',
    },
    { what: 'ours ÷ relay', value: ourCost / relayCost, unit: '×', bar: 5 },
    { what: 'the same with a search, ours ÷ relay', value: perThousand(searched) / relayCost, unit: '×' },
    { what: 'resident memory of the server at the end', value: memory, unit: 'MB' },
  ]
}

export const streams: Measure = {
  name: 'streams',
  title: `${streamsAtOnce} replies at once, ${tokens} tokens each at ${1000 / tokenEvery} a second, against a bare relay`,
  run: (say) =>
    withFolder(async (folder) => {
      const model = await startModel({ tokens, delayMs: tokenEvery })
      const env = { OPENAI_BASE_URL: `${model.url}/v1` }
      say('making people, chats and a document')
      const chats = await withDeps(
        folder,
        async (deps) => ({
          plain: await makeCallers(deps, await createTestChannel(deps), streamsAtOnce, rounds + 2),
          grounded: await makeCallers(deps, await makeChannelWithDocument(deps), streamsAtOnce, rounds + 1),
        }),
        env,
      )
      const relay = await startRelay(`${model.url}/v1`)
      const server = await startServerOn(folder, env)
      try {
        say('streaming')
        return figuresOf(await compare(server, relay, chats), server.memory())
      } finally {
        await Promise.all([server.stop(), relay.stop(), model.stop()])
      }
    }),
}
