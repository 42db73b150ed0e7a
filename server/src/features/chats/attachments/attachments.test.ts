import { type Attachment, attachmentsApi } from '@lyceum/contract/attachments'
import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { sharedChatsApi } from '@lyceum/contract/shared-chats'
import { beforeEach, describe, expect, it } from 'vitest'
import { findUsedFiles } from '#files/store.ts'
import { setUpChatFixture } from '#testing/chat-fixture.ts'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import type { ModelStandIn } from '#testing/model-stand-in.ts'
import type { TestApp } from '#testing/test-app.ts'
import { removeForgottenAttachments } from './forgotten-attachments.ts'

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
})

const text = 'The lease of the bakery ends on 14 May 2031. The rent is paid on the first day of each month.'
const question = 'When does the lease of the bakery end?'

interface UploadOptions {
  as?: TestUser
  name?: string
  content?: string | Buffer
  address?: { channelId: string; chatId: string }
}

async function listFiles() {
  return (await Array.fromAsync(app.deps.files.list())).map(({ key }) => key).toSorted()
}

function upload({
  as = ada,
  name = 'lease.txt',
  content = text,
  address = { channelId, chatId },
}: UploadOptions = {}) {
  return app.upload(attachmentsApi.upload, { as, params: address, file: { name, content } })
}

async function attach(options: UploadOptions = {}): Promise<Attachment> {
  const { status, body } = await upload(options)
  expect(status).toBe(200)
  return body
}

function send(message: string, attachmentIds: string[] = [], headers: Record<string, string> = {}) {
  const params = { channelId, chatId }
  return app.call(chatsApi.send, { as: ada, params, body: { message, attachmentIds }, headers })
}

async function listUnsent() {
  const { body } = await app.call(attachmentsApi.list, { as: ada, params: { channelId, chatId } })
  return body.attachments.map(({ name }) => name)
}

/** Of the given attachments. */
function listPassages(ids: readonly string[]) {
  return app.deps.db
    .selectFrom('attachment_passages')
    .select('ordinal')
    .where('attachment_id', 'in', ids)
    .execute()
}

/** Those of the given files that are scheduled for deletion. */
async function listRemoved(keys: readonly string[]) {
  const rows = await app.deps.db
    .selectFrom('removed_files')
    .select('file_key')
    .where('file_key', 'in', keys)
    .execute()
  return rows.map(({ file_key }) => file_key)
}

function listRows() {
  return app.deps.db
    .selectFrom('attachments')
    .select(['id', 'file_key'])
    .where('chat_id', '=', chatId)
    .execute()
}

async function setAllowed(allowAttachments: boolean, id = channelId) {
  const input = { name: 'Rules', description: 'Rules', llmModel: 'gpt-4o' as const, allowAttachments }
  const { status } = await app.call(channelsApi.update, { as: admin, params: { id }, body: input })
  expect(status).toBe(200)
}

describe('POST /chat/:channelId/chats/:chatId/attachments', () => {
  it('refuses a channel that does not allow it, and one with a ready-made assistant', async () => {
    await setAllowed(false)
    const message = 'Files cannot be attached to questions in this channel'
    const refused = await upload()
    expect([refused.status, refused.body]).toMatchObject([403, { code: 'channel.no_attachments', message }])
    const readyMade = await createTestChannel(app.deps, { useAssistant: true, openaiAssistantId: 'asst_1' })
    const linh = await createUser(app.deps, { channels: [readyMade] })
    const chat = await app.call(chatsApi.create, { as: linh, params: { channelId: readyMade }, body: {} })
    const address = { channelId: readyMade, chatId: chat.body._id }
    expect((await upload({ as: linh, address })).status).toBe(403)
    expect(await listRows()).toEqual([])
  })

  it('refuses an archived channel', async () => {
    await app.call(channelsApi.archive, { as: admin, params: { id: channelId }, body: { isArchived: true } })
    expect((await upload()).body).toMatchObject({ code: 'channel.archived' })
    expect(await listRows()).toEqual([])
  })

  it.each([
    ['a file of another kind', { name: 'lease.exe' }, 'document.type'],
    ['an empty file', { content: '' }, 'document.empty'],
    ['a file whose name has control characters', { name: 'a\u202eb.txt' }, 'document.name'],
    ['a file without text', { content: '   \n  ' }, 'attachment.unreadable'],
    ['a damaged file', { name: 'lease.pdf', content: '%PDF-1.7\nnothing\n%%EOF' }, 'attachment.unreadable'],
    ['a file that is not the PDF of its name', { name: 'lease.pdf', content: 'no pdf' }, 'document.content'],
    ['too many passages', { content: '# Title\n\nWords.\n\n'.repeat(2500) }, 'attachment.too_long'],
    [
      'too much text',
      { content: 'The rent is paid on the first day. '.repeat(60_000) },
      'attachment.too_long',
    ],
  ])('refuses %s', async (_case, options, code) => {
    const before = await listFiles()
    expect((await upload(options)).body).toMatchObject({ code })
    expect(await listRows()).toEqual([])
    expect(await listFiles()).toEqual(before)
  })

  it('refuses more files than a chat may have', async () => {
    for (let index = 0; index < 20; index++) await attach({ name: `${index}.txt` })
    const { status, body } = await upload()
    expect([status, body]).toMatchObject([409, { code: 'attachment.chat_full' }])
    expect(await listRows()).toHaveLength(20)
  })

  it('stores the file for its chat, not for the documents of the channel', async () => {
    expect(await attach({ name: 'lease.txt' })).toEqual({
      _id: expect.any(String),
      name: 'lease.txt',
      fileType: 'txt',
      fileSize: text.length,
      pages: null,
    })
    expect(await listUnsent()).toEqual(['lease.txt'])
    expect(await app.deps.db.selectFrom('documents').select('id').execute()).toEqual([])
    expect((await app.deps.passageIndex.size(null)).passages).toBe(0)
    const [stored] = await listRows()
    expect(await findUsedFiles(app.deps.db, [stored?.file_key ?? ''])).toHaveLength(1)
  })
})

describe('DELETE /chat/:channelId/chats/:chatId/attachments/:attachmentId', () => {
  function remove(attachmentId: string) {
    return app.call(attachmentsApi.remove, { as: ada, params: { channelId, chatId, attachmentId } })
  }

  it('refuses a file that was sent', async () => {
    const { _id } = await attach()
    await send(question, [_id])
    expect((await remove(_id)).body).toMatchObject({ code: 'attachment.sent' })
    expect(await listRows()).toHaveLength(1)
  })

  it('refuses a file of another chat', async () => {
    const { _id } = await attach()
    const other = await app.call(chatsApi.create, { as: ada, params: { channelId }, body: {} })
    const params = { channelId, chatId: other.body._id, attachmentId: _id }
    expect((await app.call(attachmentsApi.remove, { as: ada, params })).status).toBe(404)
    expect(await listRows()).toHaveLength(1)
  })

  it('deletes the file and its passages', async () => {
    const { _id } = await attach()
    const keys = (await listRows()).map(({ file_key }) => file_key)
    expect(await listPassages([_id])).toHaveLength(1)
    expect((await remove(_id)).body).toEqual({ message: '“lease.txt” was removed' })
    expect(await listRows()).toEqual([])
    expect(await listPassages([_id])).toEqual([])
    expect(await listRemoved(keys)).toEqual(keys)
  })
})

describe('a message with files', () => {
  it('is refused if a file is unknown, of another chat or already sent', async () => {
    const sent = await attach()
    await send(question, [sent._id])
    const elsewhere = await app.call(chatsApi.create, { as: ada, params: { channelId }, body: {} })
    const other = await attach({ address: { channelId, chatId: elsewhere.body._id } })
    const fresh = await attach({ name: 'fresh.txt' })
    for (const id of ['unknown', other._id, sent._id]) {
      const { status, body } = await send('And now?', [fresh._id, id])
      expect([status, body]).toMatchObject([409, { code: 'attachment.unknown' }])
    }
    expect(await listUnsent()).toEqual(['fresh.txt'])
    const six = Array.from({ length: 6 }, (_, index) => `file${index}`)
    expect((await send('And now?', six)).status).toBe(400)
  })

  it('is refused once the channel no longer allows files', async () => {
    const { _id } = await attach()
    await setAllowed(false)
    expect((await send(question, [_id])).body).toMatchObject({ code: 'channel.no_attachments' })
  })

  it('is sent once with its key, and not with other files', async () => {
    const [first, second] = [await attach(), await attach({ name: 'other.txt' })]
    const headers = { 'idempotency-key': 'key-of-this-test' }
    const { body } = await send(question, [first._id], headers)
    expect((await send(question, [first._id], headers)).body.message?._id).toBe(body.message?._id)
    expect((await send(question, [second._id], headers)).body).toMatchObject({ code: 'request.key_reused' })
    expect(await listUnsent()).toEqual(['other.txt'])
  })

  it('gets a reply that uses and cites them, with the text for its owner', async () => {
    const { _id } = await attach()
    const { body } = await send(question, [_id])
    expect(body.message?.attachments?.map(({ name }) => name)).toEqual(['lease.txt'])
    expect(body.reply.citations).toMatchObject([
      { n: 1, documentId: _id, isAttachment: true, title: 'lease.txt', available: true },
    ])
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('Attached file lease.txt')
    const params = { channelId, chatId, attachmentId: _id }
    const read = await app.call(attachmentsApi.text, { as: ada, params, query: {} })
    const { charStart = 0, charEnd = 0 } = body.reply.citations?.[0] ?? {}
    expect(read.body.pages[0]?.text.slice(charStart, charEnd)).toBe(
      'The lease of the bakery ends on 14 May 2031.',
    )
    const file = await app.call(attachmentsApi.download, { as: ada, params })
    expect(file.bytes.toString()).toBe(text)
  })

  it('keeps them for later questions and for edited versions', async () => {
    const { _id } = await attach()
    const first = await send('What is in this file?', [_id])
    const later = await send('When is the rent of the bakery paid?')
    expect(later.body.reply.citations).toMatchObject([{ documentId: _id, isAttachment: true }])
    expect(later.body.message?.attachments).toBeUndefined()
    const params = { channelId, chatId, messageId: first.body.message?._id ?? '' }
    const edited = await app.call(chatsApi.edit, { as: ada, params, body: { message: 'Sum it up' } })
    expect(edited.body.message?.attachments).toHaveLength(1)
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('The lease of the bakery ends')
  })

  it('gets a reply without them once the channel no longer allows files', async () => {
    const { _id } = await attach()
    await send(question, [_id])
    await setAllowed(false)
    await send(question)
    expect(JSON.stringify(model.requests.at(-1)?.body)).not.toContain('Attached file')
  })

  it('is shared by name only', async () => {
    const { _id } = await attach()
    await send(question, [_id])
    const shared = await app.call(sharedChatsApi.share, { as: ada, params: { channelId, chatId } })
    const bo = await createUser(app.deps, { channels: [channelId] })
    const params = { channelId, shareId: shared.body.shareId }
    const { body } = await app.call(sharedChatsApi.read, { as: bo, params, query: {} })
    expect(body.messages[0]?.attachments?.map(({ name }) => name)).toEqual(['lease.txt'])
    expect(body.messages[1]?.citations).toMatchObject([{ isAttachment: true, available: false }])
    for (const endpoint of [attachmentsApi.text, attachmentsApi.download])
      expect(
        (await app.call(endpoint, { as: bo, params: { channelId, chatId, attachmentId: _id }, query: {} }))
          .status,
      ).toBe(404)
  })

  it('names its files in an exported chat', async () => {
    const { _id } = await attach({ name: 'lease [1].txt' })
    await send(question, [_id])
    const { bytes } = await app.call(chatsApi.export, { as: ada, params: { channelId, chatId }, query: {} })
    expect(bytes.toString()).toContain('Attached files: lease \\[1\\].txt')
  })
})

describe('the files of a chat', () => {
  it('are deleted with it', async () => {
    const { _id } = await attach()
    await send(question, [_id])
    await attach({ name: 'unsent.txt' })
    const rows = await listRows()
    const [ids, keys] = [rows.map(({ id }) => id), rows.map(({ file_key }) => file_key)]
    await app.call(chatsApi.remove, { as: ada, params: { channelId, chatId } })
    expect(await listRows()).toEqual([])
    expect(await listPassages(ids)).toEqual([])
    expect((await listRemoved(keys)).toSorted()).toEqual(keys.toSorted())
  })

  it('are deleted after a day if they are not sent', async () => {
    const sent = await attach()
    await send(question, [sent._id])
    await attach({ name: 'unsent.txt' })
    const { signal } = new AbortController()
    await removeForgottenAttachments(app.deps, signal)
    expect(await listUnsent()).toEqual(['unsent.txt'])
    app.advance(25 * 3_600_000)
    await removeForgottenAttachments(app.deps, signal)
    expect((await listRows()).map(({ id }) => id)).toEqual([sent._id])
  })
})
