import { join } from 'node:path'
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../../server/src/deps.ts'
import { findPassages } from '../../server/src/features/documents/retrieval/retrieval.ts'
import type { Embedder } from '../../server/src/providers/assistant/port.ts'
import { createFakeEmbedder } from '../../server/src/testing/fake-embedder.ts'
import { type Figure, type Measure, percentile } from '../figures.ts'
import { copyWithPassages, dimensions, embeddingModel } from '../passages.ts'
import { createRandom, createRandomVector } from '../random-text.ts'
import { withFolder } from '../server-process.ts'
import { withDeps } from '../with-deps.ts'

const questionCount = 100
const warmUp = 10
const limit = 20

/** Answers at once without work on the main thread, so that only our own work is measured. */
function createInstantEmbedder(random: () => number): Embedder {
  const vectors = Array.from({ length: 128 }, () => createRandomVector(random, dimensions))
  let offset = 0
  return createFakeEmbedder(embeddingModel, async (texts) => {
    offset = (offset + texts.length) % vectors.length
    return { vectors: vectors.slice(offset, offset + texts.length), inputTokens: 0 }
  })
}

/** Consecutive words of a passage: rare and common ones, as in an answerable question. */
async function createQuestions({ db }: Deps, random: () => number): Promise<string[]> {
  const rows = await db.selectFrom('passages').select('text').where('ordinal', '<', 20).limit(500).execute()
  return Array.from({ length: warmUp + questionCount }, () => {
    const words = rows[Math.floor(random() * rows.length)]?.text.split(' ') ?? []
    const from = Math.floor(random() * (words.length - 8))
    return `What about ${words.slice(from, from + 8).join(' ')}?`
  })
}

function toMilliseconds(nanoseconds: number): number {
  return nanoseconds / 1e6
}

async function measureEventLoopDelay<R>(work: () => Promise<R>): Promise<[R, IntervalHistogram]> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const result = await work()
  delay.disable()
  return [result, delay]
}

async function measure(deps: Deps, passages: number, max?: number): Promise<Figure[]> {
  const random = createRandom(7)
  const { id: channelId } = await deps.db.selectFrom('channels').select('id').executeTakeFirstOrThrow()
  const questions = await createQuestions(deps, random)
  async function ask(question: string): Promise<number> {
    const begun = performance.now()
    const found = await findPassages(deps, { channelId, question, limit })
    if (found.length !== limit) throw new Error(`${found.length} passages were found, not ${limit}`)
    return performance.now() - begun
  }
  for (const question of questions.slice(0, warmUp)) await ask(question)
  const [, idle] = await measureEventLoopDelay(() => sleep(2000))
  const [times, delay] = await measureEventLoopDelay(async () => {
    const values: number[] = []
    for (const question of questions.slice(warmUp)) values.push(await ask(question))
    return values
  })
  const label = `${passages / 1000}k passages`
  return [
    { label: `${label}, p50`, value: percentile(times, 50), unit: 'ms' },
    { label: `${label}, p95`, value: percentile(times, 95), unit: 'ms', ...(max ? { max } : {}) },
    { label: `${label}, slowest`, value: Math.max(...times), unit: 'ms' },
    {
      label: `${label}, longest event loop delay`,
      value: toMilliseconds(delay.max),
      unit: 'ms',
      ...(max ? { max: 20 } : {}),
      note: `p99 ${toMilliseconds(delay.percentile(99)).toFixed(1)}; when idle ${toMilliseconds(idle.max).toFixed(1)}`,
    },
  ]
}

export const retrieval: Measure = {
  name: 'retrieval',
  title: `Retrieval by words and vectors (${dimensions} dimensions, one channel, ${questionCount} questions)`,
  run: (logStep) =>
    withFolder(async (folder) => {
      const figures: Figure[] = []
      for (const passages of [10_000, 100_000]) {
        const dataFolder = join(folder, String(passages))
        await copyWithPassages(dataFolder, passages, logStep)
        logStep(`searching ${passages} passages`)
        const rows = await withDeps(dataFolder, (opened) => {
          const deps: Deps = {
            ...opened,
            assistant: { ...opened.assistant, embedder: createInstantEmbedder(createRandom(11)) },
          }
          return measure(deps, passages, passages === 100_000 ? 100 : undefined)
        })
        figures.push(...rows)
      }
      return figures
    }),
}
