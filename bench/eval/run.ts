import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { describeMissingTexts } from './corpus.ts'
import { engines } from './engines.ts'
import { printResults } from './print.ts'

const { values } = parseArgs({
  options: { out: { type: 'string' }, search: { type: 'string', default: 'sqlite' } },
})
const engine = engines[values.search]

const missing = describeMissingTexts()
if (missing) {
  console.error(missing)
  process.exit(1)
}
if (!engine) {
  console.error(`--search must be one of ${Object.keys(engines).join(', ')}.`)
  process.exit(1)
}
try {
  const settings = await engine.start()
  // Only now, because the modules of the tests read which database there is.
  const { evaluate } = await import('./evaluate.ts')
  const results = await evaluate(settings, (step) => console.error(step))
  printResults(results)
  if (values.out) writeFileSync(values.out, `${JSON.stringify(results, null, 2)}\n`)
  process.exitCode = results.broken.length > 0 ? 1 : 0
} finally {
  await engine.stop()
}
