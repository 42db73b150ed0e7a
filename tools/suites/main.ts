import { runChecks } from '../checks/run-checks.ts'
import { stopToolsOnExit } from '../command.ts'
import { reportTally, type Tally } from '../tally.ts'
import { getWorkerCount } from '../workers.ts'
import { runJourneys } from './journeys.ts'
import { type PartName, runParts } from './parts.ts'
import { runUnitTests } from './unit.ts'

stopToolsOnExit()

const [suite, ...filters] = process.argv.slice(2)

const suites: Record<PartName | 'all', () => Promise<Tally>> = {
  all: () => runParts(getWorkerCount()),
  checks: () => runChecks(),
  unit: () => runUnitTests(filters),
  e2e: () => runJourneys(filters),
}

const run = (suites as Record<string, () => Promise<Tally>>)[suite ?? 'all']
if (run) {
  reportTally(await run())
} else {
  console.error(`There is no suite "${suite}". Use checks, unit or e2e, or nothing to run all three.`)
  process.exitCode = 1
}
