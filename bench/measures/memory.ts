import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Measure } from '../figures.ts'
import { copyWithPassages } from '../passages.ts'
import { startServerOn, withFolder } from '../server-process.ts'

const run = promisify(execFile)
const idleMs = 10_000

async function measureIdleMemory(folder: string): Promise<number> {
  const server = await startServerOn(folder)
  try {
    await sleep(idleMs)
    return server.memory()
  } finally {
    await server.stop()
  }
}

async function measureBareMemory(): Promise<number> {
  const { stdout } = await run(process.execPath, ['-p', 'process.memoryUsage.rss()'])
  return Number(stdout) / 2 ** 20
}

export const memory: Measure = {
  name: 'memory',
  title: 'Memory of one process with 10k passages in its index',
  run: (logStep) =>
    withFolder(async (folder) => {
      const [empty, filled] = [join(folder, 'empty'), join(folder, 'filled')]
      await copyWithPassages(filled, 10_000, logStep)
      logStep('idling')
      return [
        { label: 'resident, 10 s idle', value: await measureIdleMemory(filled), unit: 'MB', max: 180 },
        { label: 'the same on an empty folder', value: await measureIdleMemory(empty), unit: 'MB' },
        { label: 'an idle Node process', value: await measureBareMemory(), unit: 'MB', note: 'the baseline' },
      ]
    }),
}
