import { assistantsApi } from '@lyceum/contract/assistants'
import { type Attachment, attachmentsApi } from '@lyceum/contract/attachments'
import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { sharedChatsApi } from '@lyceum/contract/shared-chats'
import { beforeEach, describe, expect, it } from 'vitest'
import { setUpChatFixture } from '#testing/chat-fixture.ts'
import { createAdmin, createUser, type TestUser } from '#testing/factories.ts'
import { readMessages } from '#testing/model-stand-in/conversation.ts'
import type { ModelStandIn } from '#testing/model-stand-in.ts'
import { createPngHeader } from '#testing/pictures.ts'
import type { TestApp } from '#testing/test-app.ts'

let app: TestApp
let model: ModelStandIn
let channelId: string
let chatId: string
let ada: TestUser
let admin: TestUser
setUpChatFixture((fixture) => {
  ;({ app, model, channelId, ada, chatId } = fixture)
})
beforeEach(async () => {
  admin = await createAdmin(app.deps)
  await setModel('')
})

const question = 'What does this sign say?'
const png = createPngHeader(800, 600)

interface UploadOptions {
  as?: TestUser
  name?: string
  content?: string | Buffer
}

function upload({ as = ada, name = 'sign.png', content = png }: UploadOptions = {}) {
  const params = { channelId, chatId }
  return app.upload(attachmentsApi.upload, { as, params, file: { name, content } })
}

async function attach(options: UploadOptions = {}): Promise<Attachment> {
  const { status, body } = await upload(options)
  expect(status).toBe(200)
  return body
}

function send(message: string, attachmentIds: string[] = []) {
  return app.call(chatsApi.send, {
    as: ada,
    params: { channelId, chatId },
    body: { message, attachmentIds },
  })
}

interface ChannelChange {
  strictDocumentsOnly?: boolean
  allowAttachments?: boolean
}

async function change(input: ChannelChange) {
  const body = { name: 'Rules', description: 'Rules', llmModel: 'gpt-4o' as const, ...input }
  const { status } = await app.call(channelsApi.update, { as: admin, params: { id: channelId }, body })
  expect(status).toBe(200)
}

/** Sets the model that answers for the label of the channel; an empty name removes the entry. */
async function setModel(model: string) {
  const { status } = await app.call(assistantsApi.setModelMap, {
    as: admin,
    body: { map: { 'gpt-4o': model } },
  })
  expect(status).toBe(200)
}

/** The turns of the last request to the model that have pictures, with the bytes of the pictures. */
function listSent() {
  return readMessages(model.requests.at(-1)?.body ?? {}).flatMap(({ role, pictures = [] }) =>
    pictures.length === 0
      ? []
      : [{ role, pictures: pictures.map((url) => Buffer.from(url.split(',')[1] ?? '', 'base64')) }],
  )
}

function listRows() {
  return app.deps.db.selectFrom('attachments').selectAll().where('chat_id', '=', chatId).execute()
}

describe('POST /chat/:channelId/chats/:chatId/attachments with a picture', () => {
  it('refuses the chat of another user', async () => {
    const bo = await createUser(app.deps, { channels: [channelId] })
    expect((await upload({ as: bo })).status).toBe(404)
    expect((await upload({ as: admin })).status).toBe(404)
    expect(await listRows()).toEqual([])
  })

  it('refuses an archived channel, and one that does not allow files', async () => {
    await change({ allowAttachments: false })
    expect((await upload()).body).toMatchObject({ code: 'channel.no_attachments' })
    await change({ allowAttachments: true })
    await app.call(channelsApi.archive, { as: admin, params: { id: channelId }, body: { isArchived: true } })
    expect((await upload()).body).toMatchObject({ code: 'channel.archived' })
    expect(await listRows()).toEqual([])
  })

  it('refuses a strict channel, and one whose model takes no pictures', async () => {
    await setModel('llama3.3')
    const refused = await upload()
    expect([refused.status, refused.body]).toMatchObject([
      403,
      { code: 'channel.no_pictures', message: 'The language model of this channel does not take pictures' },
    ])
    await change({ strictDocumentsOnly: true })
    expect((await upload()).body).toMatchObject({
      code: 'channel.no_pictures',
      message: 'This channel answers from documents only, so pictures cannot be attached',
    })
    expect(await listRows()).toEqual([])
  })

  it.each([
    ['another kind of file with the name of a picture', { content: '<svg/>' }, 'document.type'],
    ['a damaged picture', { content: png.subarray(0, 14) }, 'picture.unreadable'],
    ['a picture without pixels', { content: createPngHeader(0, 600) }, 'picture.unreadable'],
    ['too many pixels', { content: createPngHeader(8001, 10) }, 'picture.too_many_pixels'],
    ['too many bytes', { content: Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)]) }, 'picture.too_large'],
    ['a name with control characters', { name: 'a\u202eb.png' }, 'document.name'],
  ])('refuses %s', async (_case, options, code) => {
    expect((await upload(options)).body).toMatchObject({ code })
    expect(await listRows()).toEqual([])
  })

  it('stores a picture by its content, without text or passages', async () => {
    expect(await attach({ name: 'sign.txt' })).toEqual({
      _id: expect.any(String),
      name: 'sign.txt',
      fileType: 'png',
      fileSize: png.length,
      pages: null,
    })
    expect(await listRows()).toMatchObject([{ kind: 'png', text: '', blocks: '[]', tokens: 765 }])
    expect((await app.deps.passageIndex.size(null)).passages).toBe(0)
  })

  it('tells members whether pictures can be attached', async () => {
    async function read() {
      const { body } = await app.call(channelsApi.get, { as: ada, params: { id: channelId } })
      return body.allowPictures
    }
    expect(await read()).toBe(true)
    await change({ strictDocumentsOnly: true })
    expect(await read()).toBe(false)
    await change({ strictDocumentsOnly: false, allowAttachments: false })
    expect(await read()).toBe(false)
  })
})

describe('a message with pictures', () => {
  it('is refused once the channel no longer takes them', async () => {
    const { _id } = await attach()
    await setModel('llama3.3')
    expect((await send(question, [_id])).body).toMatchObject({ code: 'channel.no_pictures' })
    await setModel('')
    await change({ strictDocumentsOnly: true })
    const { status, body } = await send(question, [_id])
    expect([status, body]).toMatchObject([403, { code: 'channel.no_pictures' }])
    expect(model.requests).toEqual([])
  })

  it('sends them to the model as pictures of that message', async () => {
    const jpeg = Buffer.from('ffd8ffe000044a46ffc0000b080258032001011100', 'hex')
    const first = await attach()
    const second = await attach({ name: 'photo.jpg', content: jpeg })
    const { status, body } = await send(question, [first._id, second._id])
    expect(status).toBe(200)
    expect(body.message?.attachments?.map(({ name, fileType }) => [name, fileType])).toEqual([
      ['sign.png', 'png'],
      ['photo.jpg', 'jpeg'],
    ])
    const [captured] = model.requests.slice(-1)
    const messages = captured?.body['messages'] as unknown[] | undefined
    expect(messages?.at(-1)).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: question },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${png.toString('base64')}` } },
        { type: 'image_url', image_url: { url: `data:image/jpeg;base64,${jpeg.toString('base64')}` } },
      ],
    })
    expect(captured?.headers['content-type']).toBe('application/json')
    expect(Number(captured?.headers['content-length'])).toBeGreaterThan(png.length)
  })

  it('stays with its message for later questions and edits, up to five pictures, the newest first', async () => {
    const pictures = [1, 2, 3, 4, 5, 6].map((side) => createPngHeader(side, side))
    const ids: string[] = []
    for (const [index, content] of pictures.entries())
      ids.push((await attach({ name: `${index}.png`, content }))._id)
    const first = await send(question, ids.slice(0, 4))
    await send('And what do these say?', ids.slice(4))
    expect(listSent()).toEqual([
      { role: 'user', pictures: pictures.slice(0, 3) },
      { role: 'user', pictures: pictures.slice(4) },
    ])
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('“3.png”')
    const params = { channelId, chatId, messageId: first.body.message?._id ?? '' }
    const edited = await app.call(chatsApi.edit, { as: ada, params, body: { message: 'Read them' } })
    expect(edited.body.message?.attachments).toHaveLength(4)
    expect(listSent()).toEqual([{ role: 'user', pictures: pictures.slice(0, 4) }])
  })

  it('is only named to the model once the channel no longer takes pictures', async () => {
    const { _id } = await attach()
    await send(question, [_id])
    for (const forbid of [() => setModel('llama3.3'), () => change({ allowAttachments: false })]) {
      await forbid()
      expect((await send('And now?')).status).toBe(200)
      expect(listSent()).toEqual([])
      expect(JSON.stringify(model.requests.at(-1)?.body)).toContain(
        'attached pictures that you do not receive: “sign.png”',
      )
      await setModel('')
    }
  })

  it('counts them in an estimate of the tokens', async () => {
    model.script({ usage: false })
    const { _id } = await attach()
    await send(question, [_id])
    const usage = await app.deps.db
      .selectFrom('llm_usage')
      .select('input')
      .where('purpose', '=', 'answer')
      .where('channel_id', '=', channelId)
      .executeTakeFirstOrThrow()
    expect(usage.input).toBeGreaterThan(765)
  })

  it('gets a reply even if a file is missing', async () => {
    const { _id } = await attach()
    const [row] = await listRows()
    await app.deps.files.remove(row?.file_key ?? '')
    const { status } = await send(question, [_id])
    expect(status).toBe(200)
    expect(listSent()).toEqual([])
  })
})

describe('GET /chat/:channelId/chats/:chatId/attachments/:attachmentId/download of a picture', () => {
  it('refuses other users, also readers of the shared chat', async () => {
    const { _id } = await attach()
    await send(question, [_id])
    const shared = await app.call(sharedChatsApi.share, { as: ada, params: { channelId, chatId } })
    const bo = await createUser(app.deps, { channels: [channelId] })
    const read = await app.call(sharedChatsApi.read, {
      as: bo,
      params: { channelId, shareId: shared.body.shareId },
      query: {},
    })
    expect(read.body.messages[0]?.attachments?.map(({ name }) => name)).toEqual(['sign.png'])
    const params = { channelId, chatId, attachmentId: _id }
    for (const as of [bo, admin])
      expect((await app.call(attachmentsApi.download, { as, params })).status).toBe(404)
  })

  it('sends the picture so that a browser never runs it', async () => {
    const { _id } = await attach({ name: 'sign.svg' })
    const params = { channelId, chatId, attachmentId: _id }
    const { headers, bytes } = await app.call(attachmentsApi.download, { as: ada, params })
    expect(bytes).toEqual(png)
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': expect.stringContaining('attachment;'),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-cache',
    })
    expect((await app.call(attachmentsApi.text, { as: ada, params, query: {} })).status).toBe(404)
  })
})

describe('the pictures of a chat', () => {
  it('are deleted with it', async () => {
    const { _id } = await attach()
    await send(question, [_id])
    const [row] = await listRows()
    await app.call(chatsApi.remove, { as: ada, params: { channelId, chatId } })
    expect(await listRows()).toEqual([])
    const removed = await app.deps.db.selectFrom('removed_files').select('file_key').execute()
    expect(removed.map(({ file_key }) => file_key)).toContain(row?.file_key)
  })
})
