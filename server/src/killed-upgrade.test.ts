import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '#db/client.ts'
import { createEarlierInstallation, type UpgradeEnv } from '#testing/earlier-installation.ts'
import type { EarlierSize } from '#testing/earlier-rows.ts'
import { type Kill, killUpgrade, timeUpgrade } from '#testing/killed-upgrade.ts'
import { spawnServer } from '#testing/spawn-server.ts'
import { createBlankDatabase, type TestDatabase } from '#testing/test-database.ts'
import { findUpgradeFaults } from '#testing/upgrade-faults.ts'

const small: EarlierSize = { chatsEach: 4, messagesEach: 20 }
/** Enough messages that the message index takes more than one transaction. */
const large: EarlierSize = { chatsEach: 10, messagesEach: 50 }
const installations = 2
const kills = 3

let parent: string
const databases: TestDatabase[] = []
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'lyceum-killed-upgrade-'))
})
afterEach(async () => {
  for (const database of databases.splice(0)) await database.drop()
  await rm(parent, { recursive: true, force: true })
})

async function createInstallation(size: EarlierSize) {
  const DATA_DIR = await mkdtemp(join(parent, 'data-'))
  const database = await createBlankDatabase(DATA_DIR)
  databases.push(database)
  const env: UpgradeEnv = { DATA_DIR, ...(database.url ? { DATABASE_URL: database.url } : {}) }
  const installation = await createEarlierInstallation(env, '0005-test-bench', size)
  return { env, installation, database }
}

async function isIndexBegun({ DATA_DIR }: UpgradeEnv, { url, location }: TestDatabase): Promise<boolean> {
  if (url !== undefined) {
    const db = openDatabase(location)
    const indexed = await db
      .selectFrom('message_words' as never)
      .limit(1)
      .execute()
    await db.destroy()
    return indexed.length > 0
  }
  const path = join(DATA_DIR, 'message-search.db')
  if (!existsSync(path)) return false
  const index = new DatabaseSync(path, { readOnly: true })
  try {
    return index.prepare('select * from progress').all().length > 0
  } catch {
    // The thread that builds the index has not created its tables yet.
    return false
  } finally {
    index.close()
  }
}

describe('an upgrade that is killed', { timeout: 300_000 }, () => {
  it('at random instants is repeated by the next start, with all data and one good backup', async () => {
    const reference = await createInstallation(small)
    const times = await timeUpgrade(reference.env, reference.installation)
    for (let round = 0; round < installations; round += 1) {
      const { env, installation } = await createInstallation(small)
      const done: Kill[] = []
      while (done.length < kills && done.at(-1)?.stage !== 'use')
        done.push(await killUpgrade(env, times, Math.random))
      const isIndexing = done.at(-1)?.stage === 'use'
      const faults = await findUpgradeFaults(env, installation, isIndexing).catch((error: unknown) => [error])
      expect(faults, JSON.stringify(done)).toEqual([])
    }
  })

  it('while it builds the search indexes completes them after the next start', async () => {
    const { env, installation, database } = await createInstallation(large)
    const server = await spawnServer(env)
    const instant = Math.random() * 100
    try {
      await expect.poll(() => isIndexBegun(env, database), { interval: 1 }).toBe(true)
      await sleep(instant)
    } finally {
      await server.kill()
    }
    expect(await findUpgradeFaults(env, installation, true), `killed after ${instant} ms`).toEqual([])
  })
})
