import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertTestChat } from '#testing/chats.ts'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let [firstChannelId, secondChannelId]: [string, string] = ['', '']
let reader: TestUser
let other: TestUser

beforeAll(async () => {
  app = await buildTestApp()
  firstChannelId = await createTestChannel(app.deps, { name: 'Here' })
  secondChannelId = await createTestChannel(app.deps, { name: 'There' })
  reader = await createUser(app.deps, { channels: [firstChannelId, secondChannelId] })
  other = await createUser(app.deps, { channels: [firstChannelId, secondChannelId] })
})
afterAll(() => app.close())

async function search(
  q: string,
  options: { channelId?: string; limit?: number; skip?: number } = {},
  as = reader,
) {
  await app.deps.messageSearch.waitUntilIndexed()
  return app.call(chatsApi.search, { as, query: { q, ...options } })
}

describe('GET /chat/search', () => {
  it.each([undefined, '', '   ', '\0', '\0 \0'])('rejects the blank query %j', async (q) => {
    const { status, body } = await search(q as string)
    expect([status, body.message, body.fields]).toEqual([
      400,
      'Enter a search term',
      { q: 'Enter a search term' },
    ])
  })

  it('rejects queries of more than 200 characters', async () => {
    expect((await search('x'.repeat(200))).status).toBe(200)
    expect((await search('x'.repeat(201))).status).toBe(400)
  })

  it('finds only the user’s own chats, even for administrators', async () => {
    await insertTestChat(app.deps, {
      userId: other.id,
      channelId: firstChannelId,
      title: 'Privy',
      messages: ['privy words'],
    })
    const system = await createAdmin(app.deps, { isSystemAdmin: true, channels: [firstChannelId] })
    for (const as of [reader, system])
      expect((await search('privy', {}, as)).body).toMatchObject({ items: [], total: 0, totalPages: 0 })
    expect((await search('privy', {}, other)).body.total).toBe(2)
  })

  it('finds a question once, although it is also the title of its chat', async () => {
    const { body } = await app.call(chatsApi.create, {
      as: reader,
      params: { channelId: firstChannelId },
      body: {},
    })
    const params = { channelId: firstChannelId, chatId: body._id }
    await app.call(chatsApi.send, { as: reader, params, body: { message: 'Where is the periwinkle?' } })
    const found = (await search('periwinkle')).body
    expect(found).toMatchObject({ total: 1, items: [{ title: 'Where is the periwinkle?', role: 'user' }] })
    await app.call(chatsApi.rename, { as: reader, params, body: { title: 'Periwinkle' } })
    expect((await search('periwinkle')).body.total).toBe(2)
  })

  it('shows the words around a match in a reply without Markdown and citation marks', async () => {
    const messages = ['How many?', 'You get **twenty zebradays** a year [1], see `rules`.']
    await insertTestChat(app.deps, { userId: other.id, channelId: firstChannelId, messages })
    expect((await search('zebradays', {}, other)).body.items).toMatchObject([
      { role: 'assistant', excerpt: 'You get twenty zebradays a year, see rules.' },
    ])
  })

  it('hides the chats of a channel that the user has left until they rejoin', async () => {
    const { id } = await insertTestChat(app.deps, {
      userId: reader.id,
      channelId: secondChannelId,
      messages: ['revisit me'],
    })
    const change = {
      as: await createAdmin(app.deps, { isSystemAdmin: true }),
      params: { id: secondChannelId },
      body: { userId: reader.id },
    }
    await app.call(channelsApi.revoke, change)
    expect((await search('revisit')).body).toMatchObject({ items: [], total: 0 })
    await app.call(channelsApi.grant, change)
    expect((await search('revisit')).body.items.map(({ chatId }) => chatId)).toEqual([id])
  })

  it('finds titles, messages and replies, newest first, with their chat and channel', async () => {
    const startTime = app.deps.now() - 60_000
    const first = await insertTestChat(app.deps, {
      userId: reader.id,
      channelId: firstChannelId,
      title: 'On Walruses',
      messages: ['What is a WALRUS?', 'A walrus has tusks.'],
      createdAt: startTime,
      updatedAt: startTime + 10,
    })
    const second = await insertTestChat(app.deps, {
      userId: reader.id,
      channelId: secondChannelId,
      messages: ['walrus?'],
      createdAt: startTime + 20,
    })
    const { body } = await search('walrus')
    expect(body).toMatchObject({ total: 4, totalPages: 1, isCut: false, isBuilding: false })
    expect(body.items).toEqual([
      {
        chatId: second.id,
        channelId: secondChannelId,
        channelName: 'There',
        messageId: second.messages[0]?.id,
        role: 'user',
        title: null,
        excerpt: 'walrus?',
        timestamp: new Date(startTime + 21).toISOString(),
      },
      expect.objectContaining({ chatId: first.id, messageId: null, role: null, excerpt: 'On Walruses' }),
      expect.objectContaining({ messageId: first.messages[1]?.id, role: 'assistant', title: 'On Walruses' }),
      expect.objectContaining({ messageId: first.messages[0]?.id, excerpt: 'What is a WALRUS?' }),
    ])
    expect((await search('walrus', { channelId: firstChannelId })).body.total).toBe(3)
    expect((await search('walrus', { channelId: 'unknown' })).body.total).toBe(0)
    const page = await search('walrus', { limit: 1, skip: 1 })
    expect(page.body).toMatchObject({ total: 4, totalPages: 4, items: [{ excerpt: 'On Walruses' }] })
    expect((await search('walrus', { skip: 100 })).body).toMatchObject({ items: [], total: 4 })
  })

  it('keeps the results of a chat together, its title first', async () => {
    const startTime = app.deps.now() - 30_000
    const chats = { userId: other.id, channelId: secondChannelId }
    await insertTestChat(app.deps, {
      ...chats,
      title: 'On ospreys',
      messages: ['One osprey?', 'An osprey.'],
      createdAt: startTime,
      updatedAt: startTime + 5,
    })
    await insertTestChat(app.deps, { ...chats, messages: ['Osprey between'], createdAt: startTime + 1 })
    const { items } = (await search('osprey', {}, other)).body
    expect(items.map(({ excerpt }) => excerpt)).toEqual([
      'On ospreys',
      'An osprey.',
      'One osprey?',
      'Osprey between',
    ])
    const second = (await search('osprey', { limit: 2, skip: 2 }, other)).body
    expect(second.items.map(({ excerpt }) => excerpt)).toEqual(['One osprey?', 'Osprey between'])
  })

  it('matches special characters literally', async () => {
    const odd = `100%_sure\\ "quoted" 'single' it's <b>bold</b> 😀 NEAR(a) * ^ - ${'long '.repeat(100)}`
    const { id } = await insertTestChat(app.deps, {
      userId: reader.id,
      channelId: firstChannelId,
      messages: [odd],
    })
    for (const q of [
      '100%_',
      '%_s',
      '\\',
      '"quoted"',
      "'single'",
      "it's",
      '<b>bold',
      '😀',
      'near(a)',
      '*',
      '^',
      '-',
    ])
      expect([q, (await search(q)).body.items.map(({ chatId }) => chatId)]).toEqual([q, [id]])
    for (const q of ['1_0', 'sure%quoted', '" OR "', "') or 1=1 --", '😀😀', 'a* OR b'])
      expect([q, (await search(q)).body.items]).toEqual([q, []])
  })

  it('returns a plain-text excerpt of about 160 characters around the first match', async () => {
    const text = `${'before '.repeat(100)}<img src=x> the needle ${'after '.repeat(100)}`
    await insertTestChat(app.deps, { userId: reader.id, channelId: firstChannelId, messages: [text] })
    const [item] = (await search('needle')).body.items
    expect(item?.excerpt).toContain('<img src=x> the needle after')
    expect(item?.excerpt.length).toBeLessThanOrEqual(162)
  })
})
