import { endWithTools } from '../command.ts'
import { conclude } from '../tally.ts'
import { runChecks } from './run-checks.ts'

endWithTools()
conclude(await runChecks())
