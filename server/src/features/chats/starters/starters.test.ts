import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { documentsApi } from '@lyceum/contract/documents'
import { embeddingApi } from '@lyceum/contract/embedding'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createVisitor, embedChannel } from '#testing/embedding.ts'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let admin: TestUser
beforeEach(async () => {
  app = await buildTestApp()
  admin = await createAdmin(app.deps)
})
afterEach(() => app.close())

const policy = `Travel policy

1. Hotel limits

A night in a hotel may cost up to 150 euros, and up to 200 euros in a capital.

2. Trains

Journeys by train of more than three hours are booked in first class.
`

async function upload(channelId: string, name: string): Promise<string> {
  const file = { name, content: `${policy}\nThis copy is called ${name}.\n` }
  const { body } = await app.upload(documentsApi.upload, { as: admin, fields: { channelId }, file })
  return body._id
}

async function approve(id: string): Promise<void> {
  await app.call(documentsApi.approve, { as: admin, params: { id } })
  await app.runJobs()
}

async function getQuestions(as: TestUser, channelId: string) {
  return (await app.call(chatsApi.starters, { as, params: { channelId } })).body.questions
}

const starterQuestions = ['How many days of leave do I have?', 'Who approves my travel?']

describe('GET /chat/:channelId/starters', () => {
  it('returns 404 to users who are not members, administrators included', async () => {
    const channelId = await createTestChannel(app.deps)
    const user = await createUser(app.deps)
    for (const as of [user, admin]) {
      const { status } = await app.call(chatsApi.starters, { as, params: { channelId } })
      expect(status).toBe(404)
    }
  })

  it('suggests nothing while no document is approved and indexed', async () => {
    const channelId = await createTestChannel(app.deps)
    const user = await createUser(app.deps, { channels: [channelId] })
    expect(await getQuestions(user, channelId)).toEqual([])
    const id = await upload(channelId, 'Travel policy.txt')
    expect(await getQuestions(user, channelId)).toEqual([])
    await app.call(documentsApi.approve, { as: admin, params: { id } })
    expect(await getQuestions(user, channelId)).toEqual([])
  })

  it('asks about the headings of the newest documents of this channel only', async () => {
    const channelId = await createTestChannel(app.deps)
    const user = await createUser(app.deps, { channels: [channelId] })
    await approve(await upload(channelId, 'Travel policy.txt'))
    await approve(await upload(await createTestChannel(app.deps), 'Elsewhere.txt'))
    expect(await getQuestions(user, channelId)).toEqual([
      'What are the hotel limits?',
      'What are the rules for trains?',
    ])
  })

  it('prefers the questions that administrators set', async () => {
    const channelId = await createTestChannel(app.deps)
    const user = await createUser(app.deps, { channels: [channelId] })
    await approve(await upload(channelId, 'Travel policy.txt'))
    await app.call(channelsApi.setStarters, {
      as: admin,
      params: { id: channelId },
      body: { starterQuestions },
    })
    expect(await getQuestions(user, channelId)).toEqual(starterQuestions)
  })

  it('offers only set questions in a ready-made assistant channel', async () => {
    const channelId = await createTestChannel(app.deps)
    const user = await createUser(app.deps, { channels: [channelId] })
    await approve(await upload(channelId, 'Travel policy.txt'))
    await app.deps.db.updateTable('channels').set({ use_assistant: 1 }).where('id', '=', channelId).execute()
    expect(await getQuestions(user, channelId)).toEqual([])
    await app.call(channelsApi.setStarters, {
      as: admin,
      params: { id: channelId },
      body: { starterQuestions },
    })
    expect(await getQuestions(user, channelId)).toEqual(starterQuestions)
  })
})

describe('GET /embedded/:channelId/starters', () => {
  function getForVisitors(channelId: string) {
    return app.call(embeddingApi.starters, { params: { channelId } })
  }

  async function createChannelWithQuestions(): Promise<string> {
    const channelId = await createTestChannel(app.deps)
    await approve(await upload(channelId, 'Travel policy.txt'))
    await app.call(channelsApi.setStarters, {
      as: admin,
      params: { id: channelId },
      body: { starterQuestions },
    })
    return channelId
  }

  it('knows no channel that does not exist, is not embedded, or is archived', async () => {
    const channelId = await createChannelWithQuestions()
    expect((await getForVisitors('unknown')).status).toBe(404)
    expect((await getForVisitors(channelId)).status).toBe(404)
    await embedChannel(app, channelId, { allowsVisitors: true })
    expect((await getForVisitors(channelId)).status).toBe(200)
    await app.call(channelsApi.archive, { as: admin, params: { id: channelId }, body: { isArchived: true } })
    expect((await getForVisitors(channelId)).status).toBe(404)
  })

  it('tells nothing where only members can chat', async () => {
    const channelId = await createChannelWithQuestions()
    await embedChannel(app, channelId)
    expect((await getForVisitors(channelId)).body).toEqual({ questions: [] })
    await embedChannel(app, channelId, { allowsVisitors: true })
    expect((await getForVisitors(channelId)).body).toEqual({ questions: starterQuestions })
    await embedChannel(app, channelId)
    expect((await getForVisitors(channelId)).body).toEqual({ questions: [] })
  })

  it('offers no questions while the channel cannot answer', async () => {
    const channelId = await createTestChannel(app.deps)
    await app.call(channelsApi.setStarters, {
      as: admin,
      params: { id: channelId },
      body: { starterQuestions },
    })
    await embedChannel(app, channelId, { allowsVisitors: true })
    expect((await getForVisitors(channelId)).body).toEqual({ questions: [] })
  })

  it('suggests what a visitor reads after the start', async () => {
    const channelId = await createTestChannel(app.deps)
    await approve(await upload(channelId, 'Travel policy.txt'))
    await embedChannel(app, channelId, { allowsVisitors: true })
    const { body } = await getForVisitors(channelId)
    expect(body.questions).toHaveLength(2)
    expect(await getQuestions(await createVisitor(app, channelId), channelId)).toEqual(body.questions)
  })
})
