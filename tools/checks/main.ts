import { stopToolsOnExit } from '../command.ts'
import { reportTally } from '../tally.ts'
import { runChecks } from './run-checks.ts'

stopToolsOnExit()
reportTally(await runChecks())
