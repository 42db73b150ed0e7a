import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { JSONReport } from '@playwright/test/reporter'
import { root } from '../../bin/pinned-node.mjs'
import { runTool } from '../command.ts'
import { playwright } from '../paths.ts'
import type { Tally } from '../tally.ts'
import { requireBrowser } from './browser.ts'

const reportPath = join(root, 'test-results/journeys.json')

/** Builds the web client and walks through it in a browser; without a build there is nothing to walk through. */
export async function runJourneys(filters: string[]): Promise<Tally> {
  const build = await runTool(join(root, 'bin/build.mjs'), [], { show: true })
  if (!build.ok) {
    console.log('✗ web build')
    console.log('✗ journeys: not run, as the web client could not be built')
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
  await runTool(playwright, ['test', ...filters], { show: true })
  return tallyOf(readReport())
}

function readReport(): JSONReport | null {
  try {
    return JSON.parse(readFileSync(reportPath, 'utf8')) as JSONReport
  } catch {
    return null
  }
}

/** Counts what ran; a test that passes only at the second try has failed. */
export function tallyOf(report: Pick<JSONReport, 'stats' | 'errors'> | null): Tally {
  if (!report) {
    console.log('✗ journeys: the run ended without a result')
    return { passed: 0, failed: 1 }
  }
  const { expected, unexpected, flaky, skipped } = report.stats
  if (skipped > 0) console.log(`- ${skipped} journeys skipped`)
  const ran = expected + unexpected + flaky > 0
  if (!ran) console.log('✗ journeys: no test ran')
  // Without a test that ran, its errors are the reason and not failures of their own.
  return { passed: expected, failed: ran ? unexpected + flaky + report.errors.length : 1 }
}
