import type { Tally } from '../tally.ts'
import { getWorkerCount } from '../workers.ts'
import { type Check, checks } from './checks.ts'

/** Runs every check, at most two at a time, and prints the output of those that fail. */
export async function runChecks(): Promise<Tally> {
  const waiting = [...checks]
  const tally = { passed: 0, failed: 0 }
  async function work() {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const ok = await runCheck(check)
      if (ok) tally.passed += 1
      else tally.failed += 1
    }
  }
  await Promise.all(Array.from({ length: getWorkerCount(2) }, work))
  return tally
}

async function runCheck({ name, run }: Check): Promise<boolean> {
  const started = performance.now()
  const { ok, output } = await run().catch((error: unknown) => ({ ok: false, output: String(error) }))
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${ok ? '✓' : '✗'} ${name} (${seconds} s)`)
  if (!ok) console.log(output.replace(/^/gm, '    '))
  return ok
}
