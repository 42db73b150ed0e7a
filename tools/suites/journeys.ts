import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter'
import { root } from '../../bin/pinned-node.mjs'
import { runTool } from '../command.ts'
import { playwright } from '../paths.ts'
import type { Tally } from '../tally.ts'
import { requireBrowser } from './browser.ts'
import { withMemoryFolder } from './memory-folder.ts'

const reportPath = join(root, 'test-results/journeys.json')

/** Builds the web client and runs the browser journeys against it. */
export async function runJourneys(filters: string[]): Promise<Tally> {
  const build = await runTool(join(root, 'bin/build.mjs'), [], { show: true })
  if (!build.ok) {
    console.log('✗ web build')
    console.log('✗ journeys: not run, because the web client could not be built')
    return { passed: 0, failed: 2 }
  }
  console.log('✓ web build')
  const journeys = await runPlaywright(filters)
  return { passed: journeys.passed + 1, failed: journeys.failed }
}

async function runPlaywright(filters: string[]): Promise<Tally> {
  try {
    await requireBrowser()
  } catch (error) {
    console.log(`✗ journeys: ${error instanceof Error ? error.message : error}`)
    return { passed: 0, failed: 1 }
  }
  rmSync(reportPath, { force: true })
  await withMemoryFolder((env) => runTool(playwright, ['test', ...filters], { env, show: true }))
  return tallyJourneys(readReport())
}

function readReport(): JSONReport | null {
  try {
    return JSON.parse(readFileSync(reportPath, 'utf8')) as JSONReport
  } catch {
    return null
  }
}

type Report = Pick<JSONReport, 'stats' | 'errors' | 'suites'>

function listFlakyTitles(suites: readonly JSONReportSuite[]): string[] {
  return suites.flatMap(({ specs, suites: inner = [] }) => [
    ...specs.filter(({ tests }) => tests.some(({ status }) => status === 'flaky')).map(({ title }) => title),
    ...listFlakyTitles(inner),
  ])
}

/** Counts the journeys. One that passes only on the second attempt counts as passed, but is reported. */
export function tallyJourneys(report: Report | null): Tally {
  if (!report) {
    console.log('✗ journeys: the run ended without a result')
    return { passed: 0, failed: 1 }
  }
  const { expected, unexpected, flaky, skipped } = report.stats
  for (const title of listFlakyTitles(report.suites))
    console.log(`! passed only on the second attempt: ${title}`)
  if (skipped > 0) console.log(`- ${skipped} journeys skipped`)
  const ran = expected + unexpected + flaky > 0
  if (!ran) console.log('✗ journeys: no test ran')
  // If no test ran, the errors are the reason and not further failures.
  return { passed: expected + flaky, failed: ran ? unexpected + report.errors.length : 1 }
}
