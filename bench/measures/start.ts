import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { readEnv } from '../../server/src/env.ts'
import { seed } from '../../server/src/seed/seed.ts'
import { type Figure, type Measure, median } from '../figures.ts'
import { startServerOn, withFolder } from '../server-process.ts'

const rounds = 5

/** The baseline: a Node process that does nothing. */
async function timeBareNode(): Promise<number> {
  const begun = performance.now()
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit')
  return performance.now() - begun
}

async function startOnce(folder: string): Promise<number> {
  const server = await startServerOn(folder)
  await server.stop()
  return server.readyAfter
}

async function repeat(work: (round: number) => Promise<number>): Promise<number[]> {
  const values: number[] = []
  for (let round = 0; round < rounds; round += 1) values.push(await work(round))
  return values
}

function toFigures(label: string, values: readonly number[], max?: number): Figure[] {
  return [
    { label: `${label}, median of ${rounds}`, value: median(values), unit: 'ms', ...(max ? { max } : {}) },
    { label: `${label}, slowest`, value: Math.max(...values), unit: 'ms' },
  ]
}

async function withoutOutput(work: () => Promise<unknown>): Promise<void> {
  const write = process.stdout.write
  process.stdout.write = () => true
  try {
    await work()
  } finally {
    process.stdout.write = write
  }
}

export const start: Measure = {
  name: 'start',
  title: 'From the start of the process until /readyz answers',
  run: (logStep) =>
    withFolder(async (folder) => {
      logStep('filling an installation')
      const used = join(folder, 'used')
      await withoutOutput(() => seed(readEnv({ DATA_DIR: used })))
      logStep('starting')
      const floor = await repeat(timeBareNode)
      const empty = await repeat((round) => startOnce(join(folder, `empty-${round}`)))
      const inUse = await repeat(() => startOnce(used))
      return [
        ...toFigures('on an installation in use', inUse, 1000),
        ...toFigures('on an empty folder', empty, 2000),
        { label: 'an idle Node process', value: median(floor), unit: 'ms', note: 'the baseline of both' },
        {
          label: 'start of an installation in use ÷ baseline',
          value: median(inUse) / median(floor),
          unit: '×',
        },
      ]
    }),
}
