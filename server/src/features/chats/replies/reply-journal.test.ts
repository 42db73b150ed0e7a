import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chatsApi } from '@lyceum/contract/chats'
import { beforeEach, describe, expect, it } from 'vitest'
import { setUpChatFixture } from '#testing/chat-fixture.ts'
import type { TestUser } from '#testing/factories.ts'
import type { ModelStandIn } from '#testing/model-stand-in.ts'
import { openReplyStream } from '#testing/reply-stream.ts'
import type { TestApp } from '#testing/test-app.ts'
import type { StoredCitation } from '../../answering/stored-citations.ts'
import { createReplyJournal, type JournalEntry, readJournal } from './reply-journal.ts'
import { recoverReplies } from './reply-manager.ts'

let app: TestApp
let model: ModelStandIn
let replyId: string
let folder: string
let params: { channelId: string; chatId: string }
let reader: TestUser

const citation: StoredCitation = {
  n: 1,
  documentId: '0199a0c4-0000-7000-8000-000000000001',
  title: 'Handbook',
  version: 1,
  fileType: 'pdf',
  page: null,
  headingPath: [],
  quote: 'Rooms close in the evening.',
  charStart: 0,
  charEnd: 27,
}

function buildEntry(
  last_event: number,
  from: number,
  text: string,
  citations: StoredCitation[] = [],
): JournalEntry {
  return {
    id: replyId,
    from,
    text,
    citations,
    last_event,
    mode: 'model',
    has_documents: 1,
    removed_citations: 2,
    unchecked_citations: 1,
    requested_model: 'gpt-4o',
    actual_model: 'gpt-4o',
  }
}

/** Stores a reply as a killed process leaves it: marked as streaming, with a snapshot of event 7. */
async function abandonReply(): Promise<string> {
  const stream = await openReplyStream(await app.url(), chatsApi.send, {
    as: reader,
    params,
    body: { message: 'When do rooms close?' },
  })
  const events = await stream.readToEnd()
  const id = events[0]?.type === 'accepted' ? events[0].reply._id : ''
  await app.deps.db
    .updateTable('messages')
    .set({
      state: 'streaming',
      content: 'Rooms',
      lease_owner: 'dead',
      lease_until: Date.UTC(2100, 0),
      last_event: 7,
    })
    .where('id', '=', id)
    .execute()
  return id
}

async function findReply() {
  const { body } = await app.call(chatsApi.get, { as: reader, params })
  return body.messages.find(({ _id }) => _id === replyId)
}

setUpChatFixture((fixture) => {
  ;({ app, model } = fixture)
  params = { channelId: fixture.channelId, chatId: fixture.chatId }
  reader = fixture.ada
})
beforeEach(async () => {
  model.script({ text: ['Done.'] })
  replyId = await abandonReply()
  folder = join(app.deps.env.DATA_DIR, 'replies')
  await mkdir(folder, { recursive: true })
})

describe('the journal of replies', () => {
  it('adds what came after the last snapshot, once, and skips a line that was cut off', async () => {
    const lines = [buildEntry(7, 0, 'Rooms'), buildEntry(8, 5, ' close'), buildEntry(9, 11, '', [citation])]
    await writeFile(join(folder, 'dead.9.log'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    await writeFile(
      join(folder, 'dead.10.log'),
      `${JSON.stringify(buildEntry(10, 11, ' early.'))}\n${JSON.stringify(buildEntry(11, 18, ' Always')).slice(0, 40)}`,
    )
    await recoverReplies(app.deps, 'dead')
    expect(await findReply()).toMatchObject({
      state: 'interrupted',
      content: 'Rooms close early.',
      citations: [{ n: 1, quote: citation.quote }],
    })
    expect(await readdir(folder)).not.toContain('dead.9.log')
    await recoverReplies(app.deps, 'dead')
    expect((await findReply())?.content).toBe('Rooms close early.')
  })

  it('stops at a gap, which a failed write leaves', async () => {
    const lines = [buildEntry(8, 5, ' close'), buildEntry(10, 20, ' early.')]
    await writeFile(join(folder, 'dead.1.log'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    await recoverReplies(app.deps, 'dead')
    expect((await findReply())?.content).toBe('Rooms close')
  })

  it('leaves the entries of another node and of a finished reply alone', async () => {
    await writeFile(join(folder, 'other.1.log'), `${JSON.stringify(buildEntry(8, 5, ' close'))}\n`)
    await recoverReplies(app.deps, 'dead')
    expect((await findReply())?.content).toBe('Rooms')
    await writeFile(join(folder, 'dead.1.log'), `${JSON.stringify(buildEntry(9, 5, ' late'))}\n`)
    await recoverReplies(app.deps, 'dead')
    expect((await findReply())?.content).toBe('Rooms')
    expect(await readdir(folder)).toContain('other.1.log')
  })

  it('deletes only files that were complete when it was rotated', async () => {
    const place = { ...app.deps, nodeId: 'writer' }
    const journal = createReplyJournal(place)
    journal.append([buildEntry(1, 0, 'first')])
    const deleteEarlier = journal.rotate()
    journal.append([buildEntry(2, 5, 'second')])
    deleteEarlier()
    const texts: string[] = []
    for await (const { text } of readJournal(place)) texts.push(text)
    expect(texts).toEqual(['second'])
  })
})
