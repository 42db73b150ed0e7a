import { createTestChannel } from '../../server/src/testing/factories.ts'
import { type Figure, type Measure, median, percentile } from '../figures.ts'
import { type Process, startServerOn, withFolder } from '../server-process.ts'
import { type ChatTarget, createChatTargets } from '../streams/chat-targets.ts'
import { startModel } from '../streams/processes.ts'
import { readUnlessRefused, type Timing } from '../streams/read-stream.ts'
import { withDeps } from '../with-deps.ts'

const usualMinutes = 8
const repliesAtOnce = 200
const tokens = 200
const tokenIntervalMs = 50
const sampleMs = 1000
/** How long a reader waits after a refusal, as `Retry-After` says. */
const retryMs = 2000

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

interface Quarter {
  timings: Timing[]
  refused: number
  memory: number[]
}

/** Every reader asks the next question when a reply has ended. Returns what was measured in each quarter of the time. */
async function keepReading(
  server: Process,
  targets: readonly ChatTarget[],
  minutes: number,
): Promise<Quarter[]> {
  const quarters = Array.from({ length: 4 }, (): Quarter => ({ timings: [], refused: 0, memory: [] }))
  const begun = performance.now()
  const whole = minutes * 60_000
  function current(): Quarter | undefined {
    return quarters[Math.floor(((performance.now() - begun) / whole) * 4)]
  }
  async function read({ path, headers }: ChatTarget, at: number): Promise<void> {
    // The first questions are spread over the time of one reply.
    await pause((at / targets.length) * tokens * tokenIntervalMs)
    for (let quarter = current(); quarter; quarter = current()) {
      const body = JSON.stringify({ message: 'How many days of vacation do I have?' })
      const timing = await readUnlessRefused({ url: server.url + path, headers, body, firstToken: 'Alpha' })
      if (timing) quarter.timings.push(timing)
      else {
        quarter.refused += 1
        await pause(retryMs)
      }
    }
  }
  const sampling = setInterval(() => current()?.memory.push(server.memory()), sampleMs)
  try {
    await Promise.all(targets.map(read))
  } finally {
    clearInterval(sampling)
  }
  return quarters
}

function toFigures(quarters: readonly Quarter[]): Figure[] {
  const [first, , third, last] = quarters
  if (!first || !third || !last) throw new Error('Nothing was measured.')
  function p95({ timings }: Quarter): number {
    return percentile(
      timings.map((timing) => timing.first),
      95,
    )
  }
  const replies = quarters.reduce((sum, { timings }) => sum + timings.length, 0)
  return [
    {
      label: 'replies refused because the server was busy',
      value: quarters.reduce((sum, { refused }) => sum + refused, 0),
      unit: '',
      max: 0,
      note: `${replies} were read to their end`,
    },
    {
      label: 'first token in the last quarter, p95',
      value: p95(last),
      unit: 'ms',
      note: `in the first quarter ${p95(first).toFixed(0)} ms, including the model’s delay of ${tokenIntervalMs} ms`,
    },
    {
      label: 'growth of resident memory from the third to the fourth quarter',
      value: (median(last.memory) / median(third.memory) - 1) * 100,
      unit: '%',
      max: 5,
    },
    {
      label: 'highest resident memory',
      value: Math.max(...quarters.flatMap(({ memory }) => memory)),
      unit: 'MB',
      max: 350,
    },
  ]
}

export const replySoak: Measure = {
  name: 'reply-soak',
  title: `${repliesAtOnce} replies at once for many minutes`,
  isLong: true,
  run: (logStep, { minutes }) =>
    withFolder(async (folder) => {
      const model = await startModel({ tokens, delayMs: tokenIntervalMs })
      const env = { OPENAI_BASE_URL: `${model.url}/v1`, EMBEDDING_MODEL: 'none' }
      logStep('creating users and chats')
      const [targets = []] = await withDeps(
        folder,
        async (deps) => createChatTargets(deps, await createTestChannel(deps), repliesAtOnce, 1),
        env,
      )
      const server = await startServerOn(folder, env)
      try {
        logStep(`reading for ${minutes ?? usualMinutes} minutes`)
        return toFigures(await keepReading(server, targets, minutes ?? usualMinutes))
      } finally {
        await Promise.all([server.stop(), model.stop()])
      }
    }),
}
