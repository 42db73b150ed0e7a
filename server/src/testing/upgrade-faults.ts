import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { chatHistoryApi } from '@lyceum/contract/chat-history'
import { testQuestionsApi } from '@lyceum/contract/test-questions'
import { readArchive } from '#backup/read-archive.ts'
import { openDatabase } from '#db/client.ts'
import { knownMigrations } from '#db/migrate.ts'
import { signInAsOwner } from './acknowledged-load.ts'
import {
  type EarlierInstallation,
  locationOf,
  readEarlierRows,
  type UpgradeEnv,
} from './earlier-installation.ts'
import { countMessages, documentQuestion, earlierChannels, earlierUsers, uniqueWord } from './earlier-rows.ts'
import { type SpawnedServer, spawnServer } from './spawn-server.ts'

/**
 * Starts the server, which finishes the upgrade, and returns what is missing or wrong, one sentence each. Waits for the
 * search indexes only on request, because building them takes long.
 */
export async function findUpgradeFaults(
  env: UpgradeEnv,
  installation: EarlierInstallation,
  includesSearch: boolean,
): Promise<string[]> {
  const server = await spawnServer(env)
  let faults: string[]
  try {
    faults = await findUnreadable(server, installation, includesSearch)
  } finally {
    await server.kill()
  }
  return [
    ...faults,
    ...(await findChangedRows(env, installation)),
    ...(await findBackupFaults(env, installation)),
    ...findDamagedFiles(env),
  ]
}

/** Asks until the answer is as expected, because the server builds its indexes while it runs. Returns the last answer. */
async function pollFor(expected: number, ask: () => Promise<number>): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const answer = await whenServed(ask)
    if (answer === expected || tries === maximumTries) return answer
    await sleep(100)
  }
}

/** A limit for what hangs: the indexes are built within seconds. */
const maximumTries = 600

/** Repeats a request that a busy server refuses. */
async function whenServed<R>(work: () => Promise<R>): Promise<R> {
  for (let tries = 1; ; tries += 1)
    try {
      return await work()
    } catch (error) {
      if (!/answered 503/.test(String(error)) || tries === maximumTries) throw error
      await sleep(100)
    }
}

type Check = [what: string, expected: number, ask: () => Promise<number>]

export async function findUnreadable(
  { url }: SpawnedServer,
  { size }: EarlierInstallation,
  includesSearch: boolean,
): Promise<string[]> {
  const client = await whenServed(() => signInAsOwner(url))
  async function countFound(search: string): Promise<number> {
    return (await client.call(chatHistoryApi.search, { query: { search } })).total
  }
  async function countPassages(): Promise<number> {
    const input = { params: { id: 'handbook' }, body: { question: documentQuestion } }
    return (await client.call(testQuestionsApi.try, input)).passages.length
  }
  const lists: Check[] = [
    [
      'chats are listed',
      earlierUsers.length * earlierChannels.length * size.chatsEach,
      async () => (await client.call(chatHistoryApi.list, { query: {} })).total,
    ],
  ]
  const searches: Check[] = [
    ...earlierUsers.map((user): Check => {
      const word = uniqueWord(user, 'strict', size)
      return [`chats are found by ${word}`, 1, () => countFound(word)]
    }),
    ['chats are found by their title', earlierChannels.length, () => countFound('Title of cy')],
    ['passages are found', 1, countPassages],
  ]
  const faults: string[] = []
  for (const [what, expected, ask] of includesSearch ? [...lists, ...searches] : lists) {
    const answer = await pollFor(expected, ask)
    if (answer !== expected) faults.push(`${answer} instead of ${expected} ${what}`)
  }
  return faults
}

async function findChangedRows(env: UpgradeEnv, { rows }: EarlierInstallation): Promise<string[]> {
  const db = openDatabase(locationOf(env))
  try {
    const after = await readEarlierRows(db, rows)
    return [...rows].flatMap(([table, before]) =>
      isDeepStrictEqual(after.get(table), before) ? [] : [`the rows of ${table} are not as before`],
    )
  } finally {
    await db.destroy()
  }
}

/** However often the upgrade was killed, there is one backup, with all data and the earlier schema. */
async function findBackupFaults(env: UpgradeEnv, { step, size }: EarlierInstallation): Promise<string[]> {
  const backups = listUpgradeBackups(env)
  const [name = ''] = backups
  if (backups.length !== 1) return [`there are ${backups.length} files in the folder of backups: ${backups}`]
  const { steps, tables } = await readArchive(join(env.DATA_DIR, 'backups/before-upgrade', name), null)
  const earlier = knownMigrations.slice(0, knownMigrations.indexOf(step) + 1)
  const messages = tables.find((table) => table.name === 'messages')?.rows
  return isDeepStrictEqual([steps, messages], [earlier, countMessages(size)])
    ? []
    : [`the backup has ${messages} messages and the migrations ${steps}`]
}

function findDamagedFiles({ DATA_DIR }: UpgradeEnv): string[] {
  const names = ['lyceum.db', 'message-search.db', 'passages.db']
  return names.flatMap((name) => {
    const path = join(DATA_DIR, name)
    if (!existsSync(path)) return []
    const db = new DatabaseSync(path)
    try {
      const result = db.prepare('pragma integrity_check').get()?.['integrity_check']
      return result === 'ok' ? [] : [`${name} is damaged: ${result}`]
    } finally {
      db.close()
    }
  })
}

export function listUpgradeBackups({ DATA_DIR }: UpgradeEnv): string[] {
  const folder = join(DATA_DIR, 'backups/before-upgrade')
  return existsSync(folder) ? readdirSync(folder) : []
}
