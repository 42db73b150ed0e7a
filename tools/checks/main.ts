import { stopToolsOnExit } from '../command.ts'
import { conclude } from '../tally.ts'
import { runChecks } from './run-checks.ts'

stopToolsOnExit()
conclude(await runChecks())
