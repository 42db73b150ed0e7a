import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { openDatabase } from '#db/client.ts'
import { createLocalArchives } from '#providers/archives/local.ts'
import { createLocalFiles } from '#providers/files/local.ts'
import { openMigratedDatabase } from '#testing/migrated-database.ts'
import { runCli } from '#testing/run-cli.ts'
import { createTestDatabase } from '#testing/test-database.ts'
import { restoreMarker } from '../files/data-folder.ts'
import { makeBackup } from './make-backup.ts'
import { restore } from './restore.ts'

/** Makes the commit fail on the client although the database has committed. */
function loseCommitResponse(targetFolder: string): void {
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  const failingQuery = async function (this: pg.Client, ...args: unknown[]) {
    const result = await Reflect.apply(query, this, args)
    if (args[0] === 'commit' && (await readdir(targetFolder)).includes(restoreMarker))
      throw new Error('the connection was lost')
    return result
  }
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(failingQuery as never)
}

it('a restore whose connection drops after the PostgreSQL commit can be finished and is audited once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-lost-'))
  const targetFolder = join(folder, 'target')
  await mkdir(targetFolder)
  const records = await openMigratedDatabase()
  const target = await createTestDatabase(folder)
  try {
    if (!target.url) return
    await records.db.insertInto('settings').values({ key: 'mine', value: '1', updated_at: 1 }).execute()
    const path = join(folder, 'backup')
    const request = {
      database: records.location,
      name: 'backup',
      passphrase: null,
      secretsFile: null,
      madeAt: 1,
    }
    const files = await createLocalFiles(join(folder, 'blobs'))
    await makeBackup(files, createLocalArchives(folder), request)
    loseCommitResponse(targetFolder)
    const restoring = restore({
      ...{ path, passphrase: null, folder: targetFolder, postgres: target.url, shouldReplace: false },
      bucket: null,
      ...{ namesToKeep: [], restoresSecrets: true, now: Date.now },
    })
    await expect(restoring).rejects.toThrow('the connection was lost')
    vi.restoreAllMocks()
    const env = { DATA_DIR: targetFolder, DATABASE_URL: target.url }
    expect((await runCli(['restore', path], env)).stderr).toMatch(/interrupted.*restore --finish/)
    expect((await runCli(['restore', '--finish'], env)).code).toBe(0)
    expect((await runCli(['restore', '--finish'], env)).stderr).toMatch(/No restore/)
    const db = openDatabase({ postgres: target.url, poolSize: 1 })
    const entries = await db.selectFrom('audit_log').select('action').execute()
    const mine = await db.selectFrom('settings').select('value').where('key', '=', 'mine').execute()
    await db.destroy()
    expect([entries, mine]).toEqual([[{ action: 'backup.restored' }], [{ value: '1' }]])
  } finally {
    vi.restoreAllMocks()
    await records.close()
    await target.drop()
    await rm(folder, { recursive: true, force: true })
  }
})
