import { chatHistoryApi, questionPreviewMaximum } from '@lyceum/contract/chat-history'
import { usersApi } from '@lyceum/contract/users'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertTestChat } from '#testing/chats.ts'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

const permissions = { canViewChatHistory: true, canSearchChatHistory: true, canExportChatHistory: true }
const day = 86_400_000
const startTime = Date.parse('2026-03-01T00:00:00Z')

interface ChatRecord {
  id: string
  userId: string
  channelId: string
  title: string | null
  texts: string[]
  createdAt: number
  updatedAt: number
}

let app: TestApp
let reviewer: TestUser
let users: TestUser[]
let channels: string[]
const chats: ChatRecord[] = []

beforeAll(async () => {
  app = await buildTestApp({ env: { RETAIN_CHATS: 'true' } })
  reviewer = await createAdmin(app.deps, { permissions })
  users = [
    await createUser(app.deps, { name: 'Ada Lovelace', email: 'ada@example.org' }),
    await createUser(app.deps, { name: 'Zoë Müller', email: 'zoe@walrus.example' }),
  ]
  channels = [await createTestChannel(app.deps, { name: 'Kitchen' }), await createTestChannel(app.deps)]
  const subjects = ['walrus', 'teapot', '会议室', 'Walrus & teapot', 'nothing much']
  for (let at = 0; at < 24; at += 1) {
    const chat = {
      userId: users[at % 2]?.id ?? '',
      channelId: channels[(at >> 1) % 2] ?? '',
      title: at % 6 === 0 ? `Title of a TEAPOT ${at}` : null,
      texts: Array.from({ length: (at * 7) % 5 }, (_, n) => `${subjects[(at + n) % 5]} ${at}-${n}`),
      createdAt: startTime + at * day,
      updatedAt: startTime + 100 * day - ((at * 5) % 24) * 3_600_000,
    }
    const { id } = await insertTestChat(app.deps, { ...chat, messages: chat.texts })
    chats.push({ id, ...chat })
  }
  await app.deps.messageSearch.waitUntilIndexed()
})
afterAll(() => app.close())

type Query = Parameters<typeof app.call<typeof chatHistoryApi.list>>[1]['query']

function list(query: Query = {}, as = reviewer) {
  return app.call(chatHistoryApi.list, { as, query })
}

function parseTime(text: string, end: string) {
  return Date.parse(text.includes('T') ? text : text + end)
}

/** The expected list, computed from the inserted chats. */
function scanChats(query: NonNullable<Query>): string[] {
  const { search, sortBy = 'createdAt', sortOrder = 'desc' } = query
  const word = search?.toLowerCase() ?? ''
  const found = chats.filter((chat) => {
    const user = users.find(({ id }) => id === chat.userId)
    const texts = [...chat.texts, chat.title ?? '', user?.name ?? '', user?.email ?? '']
    return (
      (query.empty !== 'hide' || chat.texts.length > 0) &&
      (!query.userId || chat.userId === query.userId) &&
      (!query.channelId || chat.channelId === query.channelId) &&
      (!query.chatId || chat.id === query.chatId) &&
      (!query.startDate || chat.createdAt >= parseTime(query.startDate, '')) &&
      (!query.endDate || chat.createdAt <= parseTime(query.endDate, 'T23:59:59.999Z')) &&
      texts.some((text) => word.split(' ').every((part) => text.toLowerCase().includes(part)))
    )
  })
  function key(chat: ChatRecord) {
    return sortBy === 'messageCount' ? chat.texts.length : chat[sortBy]
  }
  const sign = sortOrder === 'asc' ? 1 : -1
  const sorted = found.toSorted((a, b) => sign * (key(a) - key(b) || (a.id < b.id ? -1 : 1)))
  const skip = Number(query.skip ?? 0)
  return sorted.slice(skip, skip + Number(query.limit ?? 20)).map(({ id }) => id)
}

describe('GET /admin/chat-histories', () => {
  it.each([
    'canViewChatHistory',
    'canSearchChatHistory',
    'canExportChatHistory',
    'canSearchChatHistory+canExportChatHistory',
    'canViewChatHistory+canSearchChatHistory',
    'canViewChatHistory+canExportChatHistory',
  ])('lets callers with only %s make the calls that need nothing else', async (granted) => {
    const names = granted.split('+')
    const as = await createAdmin(app.deps, {
      permissions: Object.fromEntries(names.map((name) => [name, true])),
    })
    const chatId = chats[0]?.id ?? ''
    function expectedStatus(needed: string) {
      return needed.split('+').every((one) => names.includes(one)) ? 200 : 403
    }
    const query = { search: 'walrus' }
    const calls = [
      ['canViewChatHistory', () => list({}, as)],
      ['canViewChatHistory', () => list({ search: ' ' }, as)],
      ['canViewChatHistory+canSearchChatHistory', () => list(query, as)],
      ['canViewChatHistory', () => app.call(chatHistoryApi.get, { as, params: { id: chatId } })],
      ['canViewChatHistory', () => app.call(chatHistoryApi.userSummaries, { as })],
      ['canViewChatHistory', () => app.call(chatHistoryApi.channelSummaries, { as })],
      ['canViewChatHistory+canSearchChatHistory', () => app.call(chatHistoryApi.search, { as, query })],
      ['canViewChatHistory+canExportChatHistory', () => app.call(chatHistoryApi.export, { as })],
      [
        'canViewChatHistory+canExportChatHistory+canSearchChatHistory',
        () => app.call(chatHistoryApi.export, { as, query }),
      ],
    ] as const
    const before = await listAuditEntries()
    for (const [needed, call] of calls) {
      const { status } = await call()
      expect([needed, status]).toEqual([needed, expectedStatus(needed)])
    }
    const entries = (await listAuditEntries()).slice(before.length)
    expect(entries.filter(({ result }) => result === 'ok').length).toBe(
      calls.filter(([needed]) => expectedStatus(needed) === 200).length,
    )
  })

  it('names the permission that a search needs', async () => {
    const as = await createAdmin(app.deps, { permissions: { canViewChatHistory: true } })
    const { body } = await list({ search: 'walrus' }, as)
    expect(body.message).toMatch(/permission to search chat histor/i)
  })

  it.each([undefined, '', ' '])('rejects a search for %j', async (search) => {
    const query = { search: search as string }
    const { status, body } = await app.call(chatHistoryApi.search, { as: reviewer, query })
    expect([status, body.message, body.fields]).toEqual([
      400,
      'Enter a search term',
      { search: 'Enter a search term' },
    ])
  })

  it.each([
    { startDate: 'yesterday' },
    { endDate: '2026-02-30T25:00:00Z' },
    { limit: 0 },
    { limit: 101 },
    { skip: -1 },
    { sortBy: 'content' },
    { sortOrder: 'up' },
    { search: 'x'.repeat(201) },
    { userId: 'x'.repeat(65) },
  ])('rejects %j', async (query) => {
    const { status, body } = await list(query as never)
    expect([status, Object.keys(body.fields ?? {})]).toEqual([400, Object.keys(query)])
  })

  it('names the orders that exist', async () => {
    const { body } = await list({ sortBy: 'content', sortOrder: 'up' } as never)
    expect(body.fields).toEqual({
      sortBy: 'This value must be createdAt, updatedAt, or messageCount',
      sortOrder: 'This value must be asc or desc',
    })
  })

  const [ada, zoe] = [() => users[0]?.id ?? '', () => users[1]?.id ?? '']
  const cases: Record<string, () => NonNullable<Query>> = {
    'no filter': () => ({}),
    'a user': () => ({ userId: zoe() }),
    'a channel': () => ({ channelId: channels[1] ?? '' }),
    'chats with messages': () => ({ empty: 'hide' }),
    'chats of a user with messages, by message count': () => ({
      userId: zoe(),
      empty: 'hide',
      sortBy: 'messageCount',
    }),
    'a title of a chat with messages': () => ({ search: 'title of', empty: 'hide' }),
    'a chat': () => ({ chatId: chats[7]?.id ?? '' }),
    'a start time': () => ({ startDate: new Date(startTime + 10 * day).toISOString() }),
    'an inclusive end time': () => ({ endDate: new Date(startTime + 10 * day).toISOString() }),
    'a date as the end': () => ({ endDate: '2026-03-05' }),
    'a start time with a time zone': () => ({ startDate: '2026-03-05T02:00:00+02:00' }),
    'a word': () => ({ search: 'WALRUS' }),
    'two words': () => ({ search: 'walrus teapot' }),
    'a word of two letters': () => ({ search: '会议' }),
    'a name': () => ({ search: 'lovelace' }),
    'part of an address': () => ({ search: 'zoe@' }),
    'a title': () => ({ search: 'title of' }),
    'a page': () => ({ limit: 5, skip: 10 }),
    'a page past the end': () => ({ skip: 1000 }),
    'fewest messages first': () => ({ sortBy: 'messageCount', sortOrder: 'asc' }),
    'last updated first': () => ({ sortBy: 'updatedAt' }),
    'oldest first': () => ({ sortOrder: 'asc' }),
    'a user in a channel': () => ({ userId: ada(), channelId: channels[0] ?? '' }),
    'a user and a period, by message count': () => ({
      userId: ada(),
      startDate: '2026-03-03',
      endDate: '2026-03-20',
      sortBy: 'messageCount',
    }),
    'a channel and a start time, by last update': () => ({
      channelId: channels[0] ?? '',
      startDate: '2026-03-03',
      sortBy: 'updatedAt',
      sortOrder: 'asc',
    }),
    'a word in a period': () => ({
      search: 'teapot',
      startDate: '2026-03-04',
      endDate: '2026-03-18',
      limit: 3,
    }),
    'a word of a user in a channel': () => ({
      search: 'walrus',
      userId: ada(),
      channelId: channels[0] ?? '',
      sortBy: 'messageCount',
    }),
    'a word in a chat': () => ({ search: 'walrus', chatId: chats[3]?.id ?? '' }),
    'all filters': () => ({
      search: 'teapot',
      userId: zoe(),
      channelId: channels[0] ?? '',
      startDate: '2026-03-01',
      endDate: '2026-03-30',
      sortBy: 'updatedAt',
      sortOrder: 'asc',
      limit: 2,
      skip: 1,
    }),
    'an unknown user': () => ({ userId: 'nobody' }),
  }
  it.each(Object.entries(cases))('returns the same chats as a scan: %s', async (_name, make) => {
    const query = make()
    const { status, body } = await list(query)
    expect(status).toBe(200)
    expect(body.chatHistories.map(({ _id }) => _id)).toEqual(scanChats(query))
    const total = scanChats({ ...query, limit: 100, skip: 0 }).length
    expect(body.total).toBe(total)
    expect(body.totalPages).toBe(Math.ceil(total / Number(query.limit ?? 20)))
  })

  it.each(['%', '_', '\\', '"', "' or 1=1 --", '") OR (', '*', '\u{1f600}', '\ud800', 'NOT', 'a:b'])(
    'searches for %j literally',
    async (search) => {
      const { status, body } = await list({ search })
      expect([status, body.chatHistories.map(({ _id }) => _id)]).toEqual([200, scanChats({ search })])
    },
  )

  it('returns the user and the channel of each chat', async () => {
    const [chat] = (await list({ sortOrder: 'asc', limit: 1 })).body.chatHistories
    expect(chat).toEqual({
      _id: chats[0]?.id,
      user: { _id: users[0]?.id, name: 'Ada Lovelace', email: 'ada@example.org' },
      channel: { _id: channels[0], name: 'Kitchen' },
      title: 'Title of a TEAPOT 0',
      messageCount: 0,
      createdAt: new Date(startTime).toISOString(),
      updatedAt: new Date(startTime + 100 * day).toISOString(),
    })
  })

  it('returns the beginning of the first question of each chat that has one', async () => {
    const { chatHistories } = (await list({ sortOrder: 'asc', limit: 100 })).body
    expect(chatHistories.map(({ firstQuestion }) => firstQuestion)).toEqual(
      chats.map(({ texts }) => texts[0]),
    )
    const question = `${'🫖'.repeat(questionPreviewMaximum)}?`
    const chat = { ...chats[0], userId: zoe(), channelId: channels[0] ?? '', messages: [question] }
    const { id } = await insertTestChat(app.deps, chat)
    const found = await list({ chatId: id })
    await app.deps.db.deleteFrom('chats').where('id', '=', id).execute()
    expect(found.body.chatHistories[0]?.firstQuestion).toBe('🫖'.repeat(questionPreviewMaximum))
  })

  it('lists the chats of one user and of one channel, and searches with the same filters', async () => {
    const [userId, channelId] = [zoe(), channels[1] ?? '']
    function listIds(response: Awaited<ReturnType<typeof list>>) {
      return response.body.chatHistories.map(({ _id }) => _id)
    }
    function listForUser(query: NonNullable<Query>) {
      return app.call(chatHistoryApi.listForUser, { as: reviewer, params: { id: userId }, query })
    }
    expect(listIds(await listForUser({ limit: 3 }))).toEqual(scanChats({ userId, limit: 3 }))
    expect(listIds(await listForUser({ search: 'walrus' }))).toEqual(scanChats({ userId, search: 'walrus' }))
    expect(listIds(await listForUser({ userId: ada() }))).toEqual([])
    const channelList = await app.call(chatHistoryApi.listForChannel, {
      as: reviewer,
      params: { id: channelId },
      query: { sortBy: 'messageCount' },
    })
    expect(listIds(channelList)).toEqual(scanChats({ channelId, sortBy: 'messageCount' }))
    const found = await app.call(chatHistoryApi.search, { as: reviewer, query: { search: 'teapot' } })
    expect(listIds(found)).toEqual(scanChats({ search: 'teapot' }))
    expect((await app.call(chatHistoryApi.search, { as: reviewer, query: { search: ' ' } })).status).toBe(400)
  })
})

function listAuditEntries() {
  return app.deps.db
    .selectFrom('audit_log')
    .select(['action', 'object_id', 'result', 'after', 'actor_id'])
    .where('action', 'like', 'history.%')
    .orderBy('seq')
    .execute()
}

describe('reading other users’ chats', () => {
  it('is audited with the request parameters and without chat content', async () => {
    const before = (await listAuditEntries()).length
    const chat = chats[9]
    const id = chat?.id ?? ''
    await list({ userId: users[0]?.id ?? '', limit: 5 })
    await list({ search: 'walrus' })
    await app.call(chatHistoryApi.get, { as: reviewer, params: { id } })
    await app.call(chatHistoryApi.userSummaries, { as: reviewer })
    const entries = (await listAuditEntries()).slice(before)
    expect(entries.map(({ action }) => action)).toEqual([
      'history.listed',
      'history.searched',
      'history.read',
      'history.listed',
    ])
    expect(entries.every(({ actor_id }) => actor_id === reviewer.id)).toBe(true)
    const [listed, searched, read] = entries.map(({ after }) => JSON.parse(after ?? '{}'))
    expect(listed).toMatchObject({ userId: users[0]?.id, limit: 5, shown: 5, total: 12 })
    expect(searched).toMatchObject({ search: 'walrus' })
    expect(entries[2]?.object_id).toBe(id)
    expect(read).toMatchObject({ shown: chat?.texts.length })
    for (const text of chat?.texts ?? []) expect(JSON.stringify(entries)).not.toContain(text)
  })

  it('is refused when the audit log cannot be written', async () => {
    const { db } = app.deps
    await db.schema.alterTable('audit_log').renameTo('audit_log_hidden').execute()
    try {
      const id = chats[9]?.id ?? ''
      const calls = [
        list(),
        list({ search: 'walrus' }),
        app.call(chatHistoryApi.get, { as: reviewer, params: { id } }),
        app.call(chatHistoryApi.userSummaries, { as: reviewer }),
        app.call(chatHistoryApi.channelSummaries, { as: reviewer }),
        app.call(chatHistoryApi.export, { as: reviewer }),
      ]
      for (const call of calls) {
        const { status, body } = await call
        expect([status, body.code]).toEqual([503, 'audit.unavailable'])
        expect(JSON.stringify(body)).not.toContain('walrus')
      }
    } finally {
      await db.schema.alterTable('audit_log_hidden').renameTo('audit_log').execute()
    }
    expect((await app.call(chatHistoryApi.export, { as: reviewer })).status).toBe(200)
  })
})

describe('GET /admin/chat-histories/:id', () => {
  function get(id: string, query = {}) {
    return app.call(chatHistoryApi.get, { as: reviewer, params: { id }, query })
  }

  it('returns 404 for unknown chats and cursors of other chats', async () => {
    expect((await get('unknown')).status).toBe(404)
    for (const query of [{ before: 'unknown' }, { after: 'unknown' }, { after: 'Start' }])
      expect((await get(chats[9]?.id ?? '', query)).status).toBe(404)
  })

  it('pages the messages and omits fields that are only for their owner', async () => {
    const texts = Array.from({ length: 7 }, (_, at) => `number ${at}`)
    const { id, messages } = await insertTestChat(app.deps, {
      userId: users[0]?.id ?? '',
      channelId: channels[0] ?? '',
      messages: texts,
      createdAt: startTime - day,
    })
    const last = messages.at(-2)
    await app.deps.db
      .insertInto('message_feedback')
      .values({
        message_id: last?.id ?? '',
        rating: 'bad',
        reason: null,
        comment: 'hm',
        created_at: 1,
        updated_at: 1,
      })
      .execute()
    const first = await get(id, { limit: 3 })
    expect(first.body).toMatchObject({ _id: id, messageCount: 7, user: { name: 'Ada Lovelace' } })
    expect(first.body.messages.map(({ content }) => content)).toEqual(texts.slice(4))
    expect(first.body.messages[1]).toEqual({
      _id: last?.id,
      role: 'assistant',
      content: 'number 5',
      timestamp: expect.any(String),
      state: 'complete',
      mode: 'model',
      citations: [],
    })
    const second = await get(id, { limit: 3, before: first.body.before })
    expect(second.body.messages.map(({ content }) => content)).toEqual(texts.slice(1, 4))
    const third = await get(id, { limit: 3, before: second.body.before })
    expect(third.body).toMatchObject({ before: null, messages: [{ content: 'number 0' }] })
    const pages: string[][] = []
    for (let after: string | null | undefined = 'start'; after; ) {
      const { body } = await get(id, { limit: 3, after })
      pages.push(body.messages.map(({ content }) => content))
      after = body.after
    }
    expect(pages).toEqual([texts.slice(0, 3), texts.slice(3, 6), texts.slice(6)])
    expect((await get(id, { limit: 7, after: 'start' })).body).toMatchObject({ before: null, after: null })
    expect((await get(id, { after: messages.at(-1)?.id })).body).toMatchObject({ messages: [], after: null })
  })
})

describe('GET /admin/chat-summaries', () => {
  it('counts chats and messages per user and channel, latest activity first', async () => {
    await app.deps.db
      .updateTable('chats')
      .set({ message_count: 4 })
      .where('id', '=', chats[5]?.id ?? '')
      .execute()
    await app.deps.db
      .deleteFrom('chats')
      .where('id', '=', chats[23]?.id ?? '')
      .execute()
    const rows = await app.deps.db.selectFrom('chats').selectAll().execute()
    function computeTotals(of: 'user_id' | 'channel_id') {
      return [...Map.groupBy(rows, (row) => row[of])]
        .map(([id, own]) => ({
          id,
          chatCount: own.length,
          messageCount: own.reduce((sum, { message_count }) => sum + message_count, 0),
          lastActivityAt: new Date(Math.max(...own.map(({ updated_at }) => updated_at))).toISOString(),
        }))
        .toSorted((a, b) => (a.lastActivityAt < b.lastActivityAt ? 1 : -1))
    }
    const users = await app.call(chatHistoryApi.userSummaries, { as: reviewer })
    expect(users.body.items.map(({ user, ...rest }) => ({ id: user._id, ...rest }))).toEqual(
      computeTotals('user_id'),
    )
    expect(users.body).toMatchObject({ total: 2, totalPages: 1 })
    const inChannels = await app.call(chatHistoryApi.channelSummaries, {
      as: reviewer,
      query: { limit: 1, skip: 1 },
    })
    expect(inChannels.body.items.map(({ channel, ...rest }) => ({ id: channel._id, ...rest }))).toEqual(
      computeTotals('channel_id').slice(1),
    )
    expect(inChannels.body).toMatchObject({ total: 2, totalPages: 2 })
  })
})

describe('the chats of a deleted user', () => {
  it('are kept without the name and email address, and cannot be found by either', async () => {
    const deletedUser = await createUser(app.deps, { name: 'Perdita', email: 'perdita@example.org' })
    const { id } = await insertTestChat(app.deps, {
      userId: deletedUser.id,
      channelId: channels[0] ?? '',
      messages: ['still here'],
    })
    const as = await createAdmin(app.deps, { isSystemAdmin: true })
    expect((await app.call(usersApi.remove, { as, params: { id: deletedUser.id } })).status).toBe(200)
    await app.deps.messageSearch.waitUntilIndexed()
    const [chat] = (await list({ search: 'still here' })).body.chatHistories
    expect(chat).toMatchObject({ _id: id, user: { _id: deletedUser.id, name: 'Deleted user', email: '' } })
    for (const search of ['perdita', 'deleted.invalid']) expect((await list({ search })).body.total).toBe(0)
    const users = await app.call(chatHistoryApi.userSummaries, { as: reviewer })
    expect(users.body.items.map(({ user }) => user.name)).toContain('Deleted user')
    const listForUser = await app.call(chatHistoryApi.listForUser, {
      as: reviewer,
      params: { id: deletedUser.id },
    })
    expect(listForUser.body.total).toBe(1)
  })
})
