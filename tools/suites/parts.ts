import { fileURLToPath } from 'node:url'
import { runTool } from '../command.ts'
import { sumTallies, type Tally } from '../tally.ts'

export type PartName = 'checks' | 'unit' | 'e2e'
type Part = { name: PartName; workers: number }
type PartResult = Tally & { name: PartName; minutes: number }
export type RunPart = (part: Part, print: (text: string) => void) => Promise<string>

const order: PartName[] = ['checks', 'unit', 'e2e']
const script = fileURLToPath(new URL('main.ts', import.meta.url))
const resultLine = /^(\d+) passed, (\d+) failed\s*$/gm

/**
 * Groups the parts that run at the same time. With fewer than four cores each part keeps all of them busy:
 * running in parallel would not be faster, but would need twice the memory.
 */
export function planParts(cores: number): Part[][] {
  if (cores < 4) return order.map((name) => [{ name, workers: cores }])
  const e2e = Math.max(2, Math.floor(cores / 3))
  return [
    [
      { name: 'checks', workers: Math.ceil(cores / 4) },
      { name: 'unit', workers: cores - e2e },
      { name: 'e2e', workers: e2e },
    ],
  ]
}

/** Runs each part in its own process, so that one that crashes cannot hide the results of the others. */
export async function runParts(cores: number, runPart: RunPart = spawnPart): Promise<Tally> {
  const results: PartResult[] = []
  for (const group of planParts(cores)) {
    let previous = Promise.resolve()
    const runs = group.map((part) => {
      const output = createBufferedOutput(part.name)
      const run = measure(part, runPart, output.print)
      previous = previous.then(() => {
        output.flush()
        return run.then(() => {})
      })
      return run
    })
    results.push(...(await Promise.all(runs)))
    await previous
  }
  console.log('')
  for (const { name, passed, failed, minutes } of results) {
    console.log(`${failed === 0 ? '✓' : '✗'} ${name}: ${passed} passed, ${failed} failed (${minutes} min)`)
  }
  return sumTallies(results)
}

async function measure(part: Part, run: RunPart, print: (text: string) => void): Promise<PartResult> {
  const started = performance.now()
  const output = await run(part, print).catch((error: unknown) => {
    print(`${error}\n`)
    return ''
  })
  const minutes = Number(((performance.now() - started) / 60_000).toFixed(1))
  const [, passed, failed] = [...output.matchAll(resultLine)].at(-1) ?? []
  if (passed === undefined) print(`✗ ${part.name}: the run ended without a result\n`)
  const tally = passed === undefined ? { passed: 0, failed: 1 } : { passed: +passed, failed: Number(failed) }
  return { name: part.name, minutes, ...tally }
}

/** Holds back a part's output until the parts before it have finished, so that they do not mix. */
function createBufferedOutput(name: PartName) {
  let waiting: string | null = ''
  return {
    print(text: string) {
      // The result of a part would look like the result of the run.
      const shown = text.replace(resultLine, '')
      if (waiting === null) process.stdout.write(shown)
      else waiting += shown
    },
    flush() {
      process.stdout.write(`\n── ${name} ──\n${waiting}`)
      waiting = null
    },
  }
}

async function spawnPart({ name, workers }: Part, print: (text: string) => void): Promise<string> {
  const env = { TEST_WORKERS: String(workers), ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) }
  const { output } = await runTool(script, [name], { env, onOutput: print })
  return output
}
