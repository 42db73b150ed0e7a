import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../bin/pinned-node.mjs'
import { type Outcome, runTool } from '../command.ts'
import { biome, knip, tsc } from '../paths.ts'
import { findLicenseFaults } from '../supply-chain/licenses.ts'
import { readLockfile } from '../supply-chain/lockfile.ts'
import { findAsvsFaults } from './asvs.ts'
import { checkBoundaries } from './boundaries.ts'
import { findSqliteColumnFaults } from './columns.ts'
import { findBrokenReferences } from './headings.ts'
import { findHabits } from './language.ts'
import { findLockfileFaults } from './lockfile.ts'
import { readSources } from './sources.ts'

export type Check = { name: string; run: () => Promise<Outcome> }

function createTypeCheck(name: string, project: string): Check {
  return {
    name: `types: ${name}`,
    run: () => runTool(tsc, ['-p', project, '--pretty', 'false']),
  }
}

/** Slow checks first, so that both workers finish at about the same time. */
export const checks: Check[] = [
  createTypeCheck('server', 'server'),
  createTypeCheck('web', 'web'),
  createTypeCheck('tools', 'tsconfig.tools.json'),
  createTypeCheck('contract', 'contract'),
  { name: 'dead code', run: () => runTool(knip, ['--no-progress', '--treat-config-hints-as-errors']) },
  {
    name: 'format and lint',
    run: () => runTool(biome, ['check', '--error-on-warnings', '--max-diagnostics=100', '--colors=off', '.']),
  },
  { name: 'boundaries', run: runBoundariesCheck },
  { name: 'columns', run: async () => toOutcome(await findSqliteColumnFaults()) },
  { name: 'lock file', run: async () => toOutcome(findLockfileFaults(readLockfile())) },
  { name: 'licenses', run: async () => toOutcome(findLicenseFaults(readLockfile())) },
  { name: 'language', run: async () => toOutcome(findHabits(readSources(root))) },
  { name: 'security requirements', run: runAsvsCheck },
  { name: 'headings', run: async () => toOutcome(findBrokenReferences(readSources(root))) },
]

function toOutcome(faults: string[]): Outcome {
  return { ok: faults.length === 0, output: faults.join('\n') }
}

async function runAsvsCheck(): Promise<Outcome> {
  const page = readFileSync(join(root, 'docs/asvs.md'), 'utf8')
  return toOutcome(findAsvsFaults(page, (path) => existsSync(join(root, path))))
}

async function runBoundariesCheck(): Promise<Outcome> {
  const { violations, coverageError } = await checkBoundaries(root)
  return toOutcome(coverageError ? [coverageError, ...violations] : violations)
}
