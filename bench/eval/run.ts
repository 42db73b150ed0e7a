import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { describeMissingTexts } from './corpus.ts'
import { evaluate } from './evaluate.ts'
import { printResults } from './print.ts'

const { values } = parseArgs({ options: { out: { type: 'string' } } })

const missing = describeMissingTexts()
if (missing) {
  console.error(missing)
  process.exit(1)
}
const results = await evaluate((step) => console.error(step))
printResults(results)
if (values.out) writeFileSync(values.out, `${JSON.stringify(results, null, 2)}\n`)
process.exitCode = results.broken.length > 0 ? 1 : 0
