import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let folder = ''

/** Vitest calls this once before the suite runs on SQLite: a place for what each test process makes once and leaves. */
export function setup(): void {
  folder = mkdtempSync(join(tmpdir(), 'lyceum-templates-'))
  process.env['TEST_TEMPLATES'] = folder
}

export function teardown(): void {
  rmSync(folder, { recursive: true, force: true })
}
