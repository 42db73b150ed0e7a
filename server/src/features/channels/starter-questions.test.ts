import { type Channel, channelsApi } from '@lyceum/contract/channels'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let id: string
let channelAdmin: TestUser
let member: TestUser
beforeEach(async () => {
  app = await buildTestApp()
  id = await createTestChannel(app.deps, { name: 'Staff handbook' })
  member = await createUser(app.deps, { channels: [id] })
  channelAdmin = await createUser(app.deps, { channels: [id] })
  await app.deps.db
    .updateTable('channel_members')
    .set({ is_admin: 1 })
    .where('user_id', '=', channelAdmin.id)
    .execute()
})
afterEach(() => app.close())

const questions = ['How many days of leave do I have?', 'Who approves my travel?']
const form = { name: 'Staff handbook', description: 'House rules', llmModel: 'gpt-4o' as const }

function setQuestions(as: TestUser, starterQuestions: string[]) {
  return app.call(channelsApi.setStarters, { as, params: { id }, body: { starterQuestions } })
}

async function getQuestions(as: TestUser): Promise<Channel['starterQuestions']> {
  return (await app.call(channelsApi.get, { as, params: { id } })).body.starterQuestions
}

function readAudit() {
  return app.deps.db
    .selectFrom('audit_log')
    .select(['action', 'before', 'after'])
    .where('action', '=', 'channel.changed')
    .execute()
}

describe('PUT /channels/:id/starters', () => {
  it('rejects members, and returns 404 to users who cannot see the channel', async () => {
    const stranger = await createUser(app.deps)
    const refused = await setQuestions(member, questions)
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'Only an administrator of this channel may change its starter questions',
    ])
    expect((await setQuestions(stranger, questions)).status).toBe(404)
    expect(await getQuestions(channelAdmin)).toEqual([])
  })

  it.each([
    [['a', 'b', 'c', 'd'], 'At most 3 questions'],
    [['x'.repeat(201)], 'At most 200 characters'],
    [['one\ntwo'], 'This contains characters that cannot be shown'],
  ])('rejects %j', async (starterQuestions, message) => {
    const { status, body } = await setQuestions(channelAdmin, starterQuestions)
    expect([status, body.message]).toEqual([400, message])
  })

  it('saves the questions of a channel administrator without blank and repeated ones', async () => {
    const { status } = await setQuestions(channelAdmin, [
      ` ${questions[0]}`,
      ' ',
      questions[1] ?? '',
      questions[0] ?? '',
    ])
    expect(status).toBe(200)
    expect(await getQuestions(channelAdmin)).toEqual(questions)
    expect(await getQuestions(member)).toBeUndefined()
  })

  it('is audited once for each change', async () => {
    await setQuestions(channelAdmin, questions)
    await setQuestions(channelAdmin, questions)
    const entries = await readAudit()
    expect(entries).toHaveLength(1)
    expect(JSON.parse(entries[0]?.after ?? '')).toEqual({ starterQuestions: questions })
    expect(JSON.parse(entries[0]?.before ?? '')).toEqual({ starterQuestions: [] })
  })
})

describe('PUT /channels/:id', () => {
  it('keeps omitted starter questions, and removes them on request', async () => {
    const admin = await createAdmin(app.deps)
    await setQuestions(channelAdmin, questions)
    await app.call(channelsApi.update, { as: admin, params: { id }, body: form })
    expect(await getQuestions(admin)).toEqual(questions)
    await app.call(channelsApi.update, { as: admin, params: { id }, body: { ...form, starterQuestions: [] } })
    expect(await getQuestions(admin)).toEqual([])
    const entries = await readAudit()
    expect(JSON.parse(entries.at(-1)?.after ?? '')).toEqual({ starterQuestions: [] })
  })
})

describe('POST /channels', () => {
  it('stores the starter questions', async () => {
    const admin = await createAdmin(app.deps)
    const body = { ...form, starterQuestions: questions }
    const created = await app.call(channelsApi.create, { as: admin, body })
    expect(created.body.starterQuestions).toEqual(questions)
  })
})
