import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertTestChat } from '#testing/chats.ts'
import { measureCpuTime, measureLongestTask } from '#testing/cpu-time.ts'
import { createTestChannel, createUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { openDatabase } from '../client.ts'
import { openMessageSearch } from './open.ts'
import { tokenize } from './tokens.ts'

let app: TestApp
beforeAll(async () => {
  app = await buildTestApp()
})
afterAll(() => app.close())

async function createMember() {
  const channelId = await createTestChannel(app.deps)
  const user = await createUser(app.deps, { channels: [channelId] })
  return { channelId, userId: user.id }
}

async function findChatIds(words: string, filters = {}): Promise<string[]> {
  await app.deps.messageSearch.waitUntilIndexed()
  return (await app.deps.messageSearch.findChats(words, filters)).chats.map(({ id }) => id)
}

describe('message search', () => {
  it('finds a reply only after it is complete', async () => {
    const chat = await insertTestChat(app.deps, {
      ...(await createMember()),
      messages: ['Well?', 'marmalade'],
    })
    const [, reply] = chat.messages
    function state(value: 'streaming' | 'complete') {
      return app.deps.db
        .updateTable('messages')
        .set({
          state: value,
          ...(value === 'streaming' ? { content: 'unsettled' } : { content: 'quincejam' }),
        })
        .where('id', '=', reply?.id ?? '')
        .execute()
    }
    expect(await findChatIds('marmalade')).toEqual([chat.id])
    await state('streaming')
    expect(await findChatIds('unsettled')).toEqual([])
    await state('complete')
    expect(await findChatIds('quincejam')).toEqual([chat.id])
    expect(await findChatIds('marmalade')).toEqual([])
  })

  it('does not find messages after their chat, channel or user was deleted', async () => {
    const [first, second, third] = [await createMember(), await createMember(), await createMember()]
    const chats = []
    for (const who of [first, second, third])
      chats.push(
        await insertTestChat(app.deps, { ...who, title: 'Perishable', messages: ['perishable goods'] }),
      )
    expect((await findChatIds('perishable')).toSorted()).toEqual(chats.map(({ id }) => id).toSorted())
    await app.deps.db
      .deleteFrom('chats')
      .where('id', '=', chats[0]?.id ?? '')
      .execute()
    await app.deps.db.deleteFrom('channels').where('id', '=', second.channelId).execute()
    await app.deps.db.deleteFrom('users').where('id', '=', third.userId).execute()
    // Deleted chats are hidden even before the index is updated.
    expect((await app.deps.messageSearch.findChats('perishable', {})).chats).toEqual([])
    expect(await findChatIds('perishable')).toEqual([])
  })

  it('finds a chat by its current title', async () => {
    const chat = await insertTestChat(app.deps, { ...(await createMember()), title: 'Gooseberries' })
    expect(await findChatIds('gooseb')).toEqual([chat.id])
    await app.deps.db.updateTable('chats').set({ title: 'Elderflower' }).where('id', '=', chat.id).execute()
    expect(await findChatIds('gooseb')).toEqual([])
    expect(await findChatIds('ELDER')).toEqual([chat.id])
    await app.deps.db.updateTable('chats').set({ title: null }).where('id', '=', chat.id).execute()
    expect(await findChatIds('elder')).toEqual([])
  })

  it('finds words of two characters in Chinese and Korean', async () => {
    const chat = await insertTestChat(app.deps, {
      ...(await createMember()),
      messages: ['今天的会议改到三点', '회의는 세 시'],
    })
    expect(await findChatIds('会议')).toEqual([chat.id])
    expect(await findChatIds('회의')).toEqual([chat.id])
    expect(await findChatIds('议会')).toEqual([])
  })

  it('limits the results for a common word and reports that there are more', async () => {
    const who = await createMember()
    const now = app.deps.now()
    await app.deps.db.transaction().execute(async (tx) => {
      for (let at = 0; at < 1010; at += 1)
        await insertTestChat(
          { db: tx, now: app.deps.now },
          { ...who, messages: ['ubiquitous'], createdAt: now + at },
        )
    })
    await app.deps.messageSearch.waitUntilIndexed()
    const all = await app.deps.messageSearch.findChats('ubiquitous', {})
    expect(all.isCut).toBe(true)
    expect(all.chats.length).toBeGreaterThanOrEqual(1000)
    const own = await app.deps.messageSearch.findOwnMessages({
      words: 'ubiquitous',
      userId: who.userId,
      limit: 2,
      skip: 1,
    })
    expect(own).toMatchObject({ total: 1000, isCut: true })
    expect(own.hits.map(({ at }) => at)).toEqual([now + 1009, now + 1008])
    // A date range long before the newest ones.
    const early = await app.deps.messageSearch.findChats('ubiquitous', { from: now, to: now + 2 })
    expect(early.chats.length).toBe(3)
  })

  it('keeps the event loop free while long replies are indexed', async () => {
    // A third of their work is long beside the steps of up to 10 ms in which systems count CPU time.
    const messages = Array.from({ length: 60 }, () => 'x')
    const chat = await insertTestChat(app.deps, { ...(await createMember()), messages })
    const content = Array.from({ length: 12_000 }, (_, at) => `word${(at * 7919) % 10_007}`).join(' ')
    await app.deps.db
      .updateTable('messages')
      .set({ content: `${content} zanzibar` })
      .where('chat_id', '=', chat.id)
      .execute()
    const longest = await measureLongestTask(async () =>
      expect(await findChatIds('zanzibar')).toEqual([chat.id]),
    )
    // Indexing them without a pause would block the event loop for longer than this, on any machine.
    const inOneGo = measureCpuTime(() => {
      for (const _ of messages) tokenize(content)
    })
    expect(longest).toBeLessThan(inOneGo / 3)
  })
})

describe('the index file', () => {
  function isSqlite() {
    return !app.deps.env.DATABASE_URL
  }
  function openAnother(indexPath: string) {
    const databasePath = join(app.folder, 'lyceum.db')
    const db = openDatabase({ sqlite: databasePath })
    const faults: unknown[] = []
    const search = openMessageSearch({ db, databasePath, indexPath, warn: (error) => faults.push(error) })
    return {
      search,
      faults,
      close: async () => {
        await search.close()
        await db.destroy()
      },
    }
  }

  it.each(['missing', 'garbage'])('is rebuilt when it is %s', async (state) => {
    if (!isSqlite()) return
    const chat = await insertTestChat(app.deps, {
      ...(await createMember()),
      title: `Recovered ${state}`,
      messages: [`rebuilt from ${state}`],
    })
    await app.deps.messageSearch.waitUntilIndexed()
    const path = join(app.folder, `${state}.db`)
    if (state === 'garbage') await writeFile(path, 'no database '.repeat(1000))
    const { search, faults, close } = openAnother(path)
    await search.waitUntilIndexed()
    expect((await search.findChats(`rebuilt ${state}`, {})).chats.map(({ id }) => id)).toEqual([chat.id])
    expect((await search.findChats(`recovered ${state}`, {})).chats.map(({ id }) => id)).toEqual([chat.id])
    expect((await search.findChats('anything', {})).isBuilding).toBe(false)
    expect(faults).toEqual([])
    await close()
  })

  it('is rebuilt when it missed changes', async () => {
    if (!isSqlite()) return
    const path = join(app.folder, 'behind.db')
    const before = openAnother(path)
    await before.search.waitUntilIndexed()
    await before.close()
    const chat = await insertTestChat(app.deps, {
      ...(await createMember()),
      messages: ['meanwhile something happened'],
    })
    await app.deps.messageSearch.waitUntilIndexed()
    await app.deps.db.deleteFrom('message_changes').execute()
    const after = openAnother(path)
    await after.search.waitUntilIndexed()
    expect((await after.search.findChats('meanwhile', {})).chats.map(({ id }) => id)).toEqual([chat.id])
    await after.close()
  })

  it('is rebuilt when its file was deleted, without waiting for another message', async () => {
    if (!isSqlite()) return
    const path = join(app.folder, 'lost.db')
    const { id } = await insertTestChat(app.deps, { ...(await createMember()), messages: ['rediscovery'] })
    const before = openAnother(path)
    await before.search.waitUntilIndexed()
    await before.close()
    const { search, faults, close } = openAnother(path)
    for (const suffix of ['', '-wal', '-shm']) await rm(path + suffix, { force: true })
    await expect
      .poll(async () => (await search.findChats('rediscovery', {})).chats.map((chat) => chat.id))
      .toEqual([id])
    expect(faults).toEqual([])
    await close()
  })
})
