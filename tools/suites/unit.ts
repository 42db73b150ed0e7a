import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../bin/pinned-node.mjs'
import { runTool } from '../command.ts'
import { vitest } from '../paths.ts'
import { sumTallies, type Tally } from '../tally.ts'
import { withMemoryFolder } from './memory-folder.ts'
import type { UnitReport } from './unit-reporter.ts'

const reportPath = join(root, 'test-results/unit.json')
const reporter = join(root, 'tools/suites/unit-reporter.ts')

const projects = [
  'tools',
  'contract',
  'server-pure',
  'server-sqlite',
  'server-postgres',
  'server-s3',
  'server-cluster',
  'server-opensearch',
  'server-redis',
  'server-two-nodes',
  'web',
]

/** Runs Vitest. With `filters`, runs only the files they match; a project may then have no tests to run. */
export async function runUnitTests(filters: string[]): Promise<Tally> {
  rmSync(reportPath, { force: true })
  await withMemoryFolder((env) =>
    runTool(vitest, ['run', '--reporter=default', `--reporter=${reporter}`, ...filters], {
      env: { UNIT_REPORT: reportPath, ...env },
      show: true,
    }),
  )
  return tallyUnitTests(readReport(), filters.length === 0 ? projects : [])
}

function readReport(): UnitReport | null {
  try {
    return JSON.parse(readFileSync(reportPath, 'utf8')) as UnitReport
  } catch {
    return null
  }
}

/** Adds up the results. An expected project in which no test ran counts as a failure. */
export function tallyUnitTests(report: UnitReport | null, expected: string[]): Tally {
  if (!report) {
    console.log('✗ unit tests: the run ended without a result')
    return { passed: 0, failed: 1 }
  }
  for (const [name, { skipped }] of Object.entries(report.projects)) {
    for (const test of skipped) console.log(`- skipped in ${name}: ${test}`)
  }
  const missing = expected.filter((name) => {
    const result = report.projects[name]
    return !result || result.passed + result.failed === 0
  })
  for (const name of missing) console.log(`✗ ${name}: no test ran`)
  for (const error of report.errors) console.log(`✗ error outside the tests: ${error}`)
  return sumTallies([
    ...Object.values(report.projects),
    { passed: 0, failed: missing.length + report.errors.length },
  ])
}
