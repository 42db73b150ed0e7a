import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

type ProjectResult = { passed: number; failed: number; skipped: string[] }
/** `errors` are those outside the tests. */
export type UnitReport = { projects: Record<string, ProjectResult>; errors: string[] }

/** Enough to find the cause of an error: its message and where it came from. */
const errorLines = 12

/** Counts results per project, which Vitest's own JSON report does not. */
export default class UnitReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const report: UnitReport = { projects: {}, errors: errors.map(describe) }
    for (const module of modules) {
      const result = { passed: 0, failed: 0, skipped: [], ...report.projects[module.project.name] }
      report.projects[module.project.name] = result
      count(module, result)
    }
    const path = process.env['UNIT_REPORT']
    if (!path) throw new Error('UNIT_REPORT must name the file for the report')
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, JSON.stringify(report))
  }
}

function describe({ name, message, stack, cause, ...details }: SerializedError): string {
  const origin = [details['VITEST_TEST_PATH'], details['VITEST_TEST_NAME']].filter(Boolean).join(' > ')
  const lines = [`${name}: ${message}`, ...(stack ?? '').split('\n').slice(1), origin && `in ${origin}`]
  const text = lines.filter(Boolean).slice(0, errorLines).join('\n')
  return cause ? `${text}\nCaused by ${describe(cause)}` : text
}

function count(module: TestModule, result: ProjectResult): void {
  for (const test of module.children.allTests()) {
    const { state } = test.result()
    if (state === 'passed') result.passed += 1
    else if (state === 'skipped') result.skipped.push(`${module.relativeModuleId}: ${test.fullName}`)
    else result.failed += 1
  }
  // If a file does not load or a group's setup fails, its tests are only skipped, which would look like success.
  for (const part of [module, ...module.children.allSuites()]) {
    if (part.errors().length > 0) result.failed += 1
  }
}
