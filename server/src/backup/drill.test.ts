import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runBackupDrill } from '#testing/backup-drill.ts'
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts'

let folder: string
let databases: TestDatabase[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-drill-'))
  databases = []
})
afterEach(async () => {
  for (const database of databases) await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function createInstallation(name: string): Promise<Record<string, string>> {
  const path = join(folder, name)
  // With SQLite, the server creates the database file itself, so that a restore finds an empty folder.
  const spare = join(folder, `${name}-spare`)
  await mkdir(spare)
  const database = await createTestDatabase(spare)
  databases.push(database)
  return { DATA_DIR: path, ...(database.url ? { DATABASE_URL: database.url } : {}) }
}

describe('a server that is backed up under load, killed and restored elsewhere', { timeout: 300_000 }, () => {
  it('has everything acknowledged before the backup exactly once, and accepts no old session', async () => {
    const [from, to] = [await createInstallation('from'), await createInstallation('to')]
    // Back up at a random time under load. bench/measures/backup.ts runs many rounds.
    const before = 1500 + Math.random() * 1500
    const { faults, ...done } = await runBackupDrill({ from, to, before, after: Math.random() * 300 })
    expect(faults).toEqual([])
    expect(done.messages).toBeGreaterThan(0)
    expect(done.documents).toBeGreaterThan(0)
    expect(done.approvals).toBeGreaterThan(0)
  })
})
