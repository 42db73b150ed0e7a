import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let folder = ''

/** Runs once before the tests on SQLite: creates a folder for the template databases of the test processes. */
export function setup(): void {
  folder = mkdtempSync(join(tmpdir(), 'lyceum-templates-'))
  process.env['TEST_TEMPLATES'] = folder
}

export function teardown(): void {
  rmSync(folder, { recursive: true, force: true })
}
