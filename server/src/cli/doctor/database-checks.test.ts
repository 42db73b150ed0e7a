import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type DatabaseLock, lockDatabase } from '#db/database-lock.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { lockDataFolder } from '../../files/data-folder.ts'
import { schemaChecks } from './database-checks.ts'
import { type Finding, runCheck } from './finding.ts'

let app: TestApp
let databaseLock: DatabaseLock | undefined
beforeEach(async () => {
  app = await buildTestApp()
})
afterEach(async () => {
  await databaseLock?.release()
  databaseLock = undefined
  await app.close()
})

async function findLock(): Promise<Finding | undefined> {
  const findings = await Promise.all(schemaChecks(app.deps).map(runCheck))
  return findings.find(({ about }) => about === 'database lock')
}

describe('the check of the database lock', () => {
  it('warns of a server with a different data folder', async () => {
    if (!app.deps.env.DATABASE_URL) return
    databaseLock = await lockDatabase(app.deps.env.DATABASE_URL)
    expect(await findLock()).toMatchObject({
      level: 'warning',
      text: expect.stringContaining('different data folder holds it'),
    })
  })

  it('says whether the server of this data folder holds the lock', async () => {
    if (!app.deps.env.DATABASE_URL) return
    const folderLock = lockDataFolder(app.deps.env.DATA_DIR)
    try {
      databaseLock = await lockDatabase(app.deps.env.DATABASE_URL)
      expect(await findLock()).toMatchObject({ level: 'ok', text: 'a server holds it' })
    } finally {
      folderLock.release()
    }
    await databaseLock.release()
    await expect.poll(findLock).toMatchObject({ level: 'ok', text: 'no server holds it' })
  })

  it('is left out on SQLite, which needs no such lock', async () => {
    if (app.deps.env.DATABASE_URL) return
    expect(await findLock()).toBeUndefined()
  })
})
