import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { chatsApi } from '@lyceum/contract/chats'
import type { KyselyPlugin } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { describe, expect, it } from 'vitest'
import { buildPath } from '#testing/build-path.ts'
import { setUpChatFixture } from '#testing/chat-fixture.ts'
import { createAdmin, createUser, type TestUser } from '#testing/factories.ts'
import type { ModelStandIn } from '#testing/model-stand-in.ts'
import type { TestApp } from '#testing/test-app.ts'
import { authenticate } from '../auth/authenticate.ts'
import { exportChat } from './export-chat.ts'
import { insertMessages } from './messages/message-store.ts'

let model: ModelStandIn
let app: TestApp
let channelId: string
let ada: TestUser
let chatId: string

setUpChatFixture(
  (fixture) => {
    ;({ model, app, channelId, ada, chatId } = fixture)
  },
  { name: 'Rules & <regulations>' },
)

function params() {
  return { channelId, chatId }
}
async function send(message: string, text: string) {
  model.script({ text })
  return (await app.call(chatsApi.send, { as: ada, params: params(), body: { message } })).body
}
function exportAs(format: 'markdown' | 'json', as = ada) {
  return app.call(chatsApi.export, { as, params: params(), query: { format } })
}
async function exportMarkdown() {
  return (await exportAs('markdown')).bytes.toString('utf8')
}
function renameChat(title: string) {
  return app.call(chatsApi.rename, { as: ada, params: params(), body: { title } })
}

/** Inserts all messages at once, in the form in which sending would store them. */
async function insertConversation(contents: readonly string[], changes: object = {}) {
  const now = app.deps.now()
  let parent_id: string | null = null
  const rows = contents.map((content, at) => {
    const row = {
      id: uuidv7(),
      chat_id: chatId,
      parent_id,
      role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content,
      state: at % 2 === 0 ? null : ('complete' as const),
      mode: at % 2 === 0 ? null : ('model' as const),
      created_at: now + at,
      ...(at % 2 === 0 ? {} : changes),
    }
    parent_id = row.id
    return row
  })
  await insertMessages(app.deps.db, rows)
  await app.deps.db
    .updateTable('chats')
    .set({ active_leaf_id: parent_id, message_count: rows.length })
    .where('id', '=', chatId)
    .execute()
  return rows
}

describe('exporting a chat', () => {
  it('returns 404 to everyone except the owner, and rejects unknown formats', async () => {
    await send('Hello', 'Hello yourself.')
    for (const as of [await createUser(app.deps, { channels: [channelId] }), await createAdmin(app.deps)])
      expect((await exportAs('markdown', as)).status).toBe(404)
    await app.deps.db.deleteFrom('channel_members').where('user_id', '=', ada.id).execute()
    expect((await exportAs('json')).status).toBe(404)
    expect(
      (await app.raw({ method: 'GET', path: `${buildPath(chatsApi.export, params())}?format=pdf`, as: ada }))
        .status,
    ).toBe(400)
  })

  it('includes all messages in order, in the versions shown', async () => {
    await send('What is **bold**?', '- one\n- two')
    const { reply } = await send('And?', 'Not this.')
    model.script({ text: 'But this.' })
    await app.call(chatsApi.regenerate, { as: ada, params: { ...params(), messageId: reply._id } })
    const { headers, bytes } = await exportAs('markdown')
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8')
    const text = bytes.toString('utf8').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    expect(text).toBe(
      [
        '# What is bold?',
        'Channel: Rules \\& \\<regulations\\>  \nExported: TIME',
        '## You, TIME',
        '> What is **bold**?',
        '## Assistant, TIME',
        '- one\n- two',
        '## You, TIME',
        '> And?',
        '## Assistant, TIME, version 2 of 2',
        'But this.\n',
      ].join('\n\n'),
    )
  })

  it('keeps the Markdown of a message from affecting or imitating other messages', async () => {
    await insertConversation([
      '```\nnever closed\n## Assistant, 2020-01-01T00:00:00.000Z\n\n<!-- nor this',
      '~~~\ncode without end',
      'x\r\n# Title',
      'Fine:\n\n```js\nlet a = 1\n```\n\n## A heading of its own',
      'y',
      '<pre>swallows all',
      'z',
      'You, 2020-01-01T00:00:00.000Z\n---\nI never said this.',
    ])
    const text = await exportMarkdown()
    expect(text.match(/^## (?:You|Assistant), /gm)).toHaveLength(8)
    expect(text).toContain(
      '> ```\n> never closed\n> ## Assistant, 2020-01-01T00:00:00.000Z\n>\n> <!-- nor this\n',
    )
    expect(text).toContain('> ~~~\n> code without end\n')
    expect(text).toContain('> x\n> # Title\n')
    expect(text).toContain('\n\nFine:\n\n```js\nlet a = 1\n```\n\n## A heading of its own\n')
    expect(text).toContain('> <pre>swallows all\n')
    expect(text).toContain('> You, 2020-01-01T00:00:00.000Z\n> ---\n')
  })

  it('lists the sources and says how the reply ended', async () => {
    const citation = {
      n: 2,
      documentId: 'gone',
      version: 1,
      title: 'Rules *of* the house',
      fileType: 'pdf',
      page: 7,
      headingPath: [],
      charStart: 0,
      charEnd: 4,
      quote: 'Doors close\nat [eight].',
    }
    const other = { ...citation, n: 1, title: 'Menu', page: null, quote: 'Fish' }
    const [, reply] = await insertConversation(['When?', 'At eight [2], with fish [1].'], {
      citations: JSON.stringify([citation, other]),
      state: 'interrupted',
      error: 'assistant.cut',
    })
    expect(await exportMarkdown()).toContain(
      'At eight [2], with fish [1].\n\nSources:\n\n1. Menu: “Fish”\n2. Rules \\*of\\* the house, page 7: “Doors close at \\[eight\\].”\n\n*This reply was interrupted. The reply reached the maximum length for this model.*\n',
    )
    function updateReply(changes: object) {
      return app.deps.db
        .updateTable('messages')
        .set(changes)
        .where('id', '=', reply?.id ?? '')
        .execute()
    }
    await updateReply({ state: 'stopped', error: null })
    expect(await exportMarkdown()).toContain('*This reply was stopped.*')
    await updateReply({ state: 'failed', content: '', citations: null, error: 'assistant.busy' })
    expect(await exportMarkdown()).toMatch(/## Assistant, \S+\n\n\*The reply failed\. The assistant is busy/)
    await updateReply({ state: 'complete', mode: 'extractive' })
    expect(await exportMarkdown()).toContain('*Quoted from the documents, without a language model.*')
  })

  it('exports the details of each message as JSON with a format number', async () => {
    const { reply } = await send('Hello', 'Hello yourself.')
    const feedback = { rating: 'bad', reason: 'unclear', comment: 'Hm' } as const
    await app.call(chatsApi.rate, { as: ada, params: { ...params(), messageId: reply._id }, body: feedback })
    await renameChat('Greetings')
    const { headers, bytes } = await exportAs('json')
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(JSON.parse(bytes.toString('utf8'))).toEqual({
      format: 1,
      exportedAt: expect.stringMatching(/Z$/),
      chat: {
        _id: chatId,
        title: 'Greetings',
        channel: { _id: channelId, name: 'Rules & <regulations>' },
        createdAt: expect.any(String),
      },
      messages: [
        { _id: expect.any(String), role: 'user', content: 'Hello', timestamp: expect.any(String) },
        {
          _id: reply._id,
          role: 'assistant',
          content: 'Hello yourself.',
          timestamp: reply.timestamp,
          state: 'complete',
          mode: 'model',
          citations: [],
          error: null,
          feedback,
        },
      ],
    })
  })

  it('exports an empty chat', async () => {
    expect(await exportMarkdown()).toMatch(/^# Chat\n\nChannel: [^\n]+\nExported: \S+\n$/)
    expect(JSON.parse((await exportAs('json')).bytes.toString('utf8')).messages).toEqual([])
  })

  it.each([
    ['Travel', 'Travel'],
    ['../../etc/passwd', 'etc passwd'],
    ['a\\b:c*d?"e<f>g|h', 'a b c d e f g h'],
    ['...', 'Chat'],
    ['Größe 年に🚀', 'Größe 年に🚀'],
    ['x'.repeat(120), 'x'.repeat(80)],
  ])('derives the file name from the title: %s', async (title, expected) => {
    await renameChat(title)
    const { headers } = await exportAs('markdown')
    const [, encodedName = ''] = /filename\*=UTF-8''(\S+)$/.exec(String(headers['content-disposition'])) ?? []
    expect(decodeURIComponent(encodedName)).toBe(
      `${expected} ${new Date(app.deps.now()).toISOString().slice(0, 10)}.md`,
    )
    expect(String(headers['content-disposition'])).toMatch(/^attachment; filename="[\x20-\x7e]+"; /)
  })

  it('streams 2,000 long messages in order and loads them only as they are read', async () => {
    await insertConversation(
      Array.from({ length: 2000 }, (_, at) => `@${at}@ ${randomBytes(5000).toString('hex')}`),
    )
    let rows = 0
    const rowCounter: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        rows += result.rows.length
        return result
      },
    }
    const deps = { ...app.deps, db: app.deps.db.withPlugin(rowCounter) }
    const actor = await authenticate(deps, ada.token, { ip: '127.0.0.1', userAgent: 'test' })
    if (!actor) throw new Error('no session')
    for (const format of ['markdown', 'json'] as const) {
      const { content } = await exportChat(deps, actor, params(), format)
      rows = 0
      const chunks = (content as Readable)[Symbol.asyncIterator]()
      let [length, next] = [0, 0]
      let rest = ''
      for (let step = await chunks.next(); !step.done; step = await chunks.next()) {
        // About four rows per message sent, plus the batch boundaries and the batch being read.
        expect(rows).toBeLessThan(300 + next * 4)
        length += (step.value as Buffer).length
        rest += String(step.value)
        for (const [, number] of rest.matchAll(/@(\d+)@/g)) {
          expect(Number(number)).toBe(next)
          next += 1
        }
        rest = /@\d{0,4}$/.exec(rest)?.[0] ?? ''
      }
      expect([next, length > 20_000_000]).toEqual([2000, true])
      expect(rows).toBeGreaterThan(4000)
    }
  })
})
