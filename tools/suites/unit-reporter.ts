import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

type ProjectResult = { passed: number; failed: number; skipped: string[] }
export type UnitReport = { projects: Record<string, ProjectResult>; errors: number }

/** Counts results per project, which Vitest's own JSON report does not. */
export default class UnitReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const report: UnitReport = { projects: {}, errors: errors.length }
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
