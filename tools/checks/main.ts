import { conclude } from '../tally.ts'
import { runChecks } from './run-checks.ts'

conclude(await runChecks())
