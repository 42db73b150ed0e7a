import { runChecks } from '../checks/run-checks.ts'
import { endWithTools } from '../command.ts'
import { conclude, sum, type Tally } from '../tally.ts'
import { runJourneys } from './journeys.ts'
import { runUnitTests } from './unit.ts'

endWithTools()

const [suite, ...filters] = process.argv.slice(2)

const suites: Record<string, () => Promise<Tally[]>> = {
  all: async () => [await runChecks(), await runUnitTests([]), await runJourneys([])],
  unit: async () => [await runUnitTests(filters)],
  e2e: async () => [await runJourneys(filters)],
}

const run = suites[suite ?? 'all']
if (run) {
  conclude(sum(await run()))
} else {
  console.error(`There is no suite "${suite}": it is unit, e2e or nothing for everything.`)
  process.exitCode = 1
}
