import { assistantsApi } from '@lyceum/contract/assistants'
import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { connectionsApi } from '@lyceum/contract/connections'
import { documentsApi } from '@lyceum/contract/documents'
import { overviewApi } from '@lyceum/contract/overview'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { checkIntervalMs } from './jobs.ts'
import { readLastChatFailure } from './model-events.ts'

let app: TestApp
let admin: TestUser
let params: { channelId: string; chatId: string }
let model: ModelStandIn | undefined
afterEach(async () => {
  await app.close()
  await model?.close()
  model = undefined
})

async function open(env: Record<string, string>, openaiAssistantId = 'guide'): Promise<void> {
  app = await buildTestApp({ env })
  const channelId = await createTestChannel(app.deps, { useAssistant: true, openaiAssistantId })
  admin = await createAdmin(app.deps, { channels: [channelId] })
  const { body } = await app.call(chatsApi.create, { as: admin, params: { channelId }, body: {} })
  params = { channelId, chatId: body._id }
}
function createPreset() {
  const body = { assistantId: 'guide', name: 'Guide', model: 'gpt-4o' } as const
  return app.call(assistantsApi.createPreset, { as: admin, body })
}
function fail() {
  return app.call(chatsApi.send, { as: admin, params, body: { message: 'Hello' } })
}
function check() {
  return app.call(assistantsApi.resolve, { as: admin, query: { assistantId: 'guide' } })
}
async function passCheckInterval(): Promise<void> {
  app.advance(checkIntervalMs)
  await app.runJobs()
}
async function readLastReply() {
  return (await app.call(chatsApi.get, { as: admin, params })).body.messages.at(-1)
}
async function readProblem() {
  return (await readLastReply())?.setupProblem
}
async function readChannelProblem(as = admin) {
  const { body } = await app.call(channelsApi.get, { as, params: { id: params.channelId } })
  const list = (await app.call(channelsApi.list, { as, query: {} })).body
  const listed = (Array.isArray(list) ? list : list.items).find(({ _id }) => _id === params.channelId)
  expect(listed).toBeDefined()
  expect(listed?.setupProblem).toBe(body.setupProblem)
  return body.setupProblem
}

describe('the setup problem of a failed reply', () => {
  describe('without a model', () => {
    beforeEach(() => open({}))

    it('is that the assistant does not exist', async () => {
      await fail()
      expect(await readProblem()).toBe('gone')
    })

    it('is the one of today: the assistant was created since, but no model is connected', async () => {
      await fail()
      await createPreset()
      expect(await readProblem()).toBe('no-model')
    })

    it('belongs to the channel, too, for all members', async () => {
      expect(await readChannelProblem()).toBe('gone')
      await createPreset()
      expect(await readChannelProblem()).toBe('no-model')
      const member = await createUser(app.deps, { channels: [params.channelId] })
      expect(await readChannelProblem(member)).toBe('no-model')
    })

    it('is that there are no documents either when the channel no longer uses a ready-made assistant', async () => {
      await fail()
      await app.deps.db
        .updateTable('channels')
        .set({ use_assistant: 0, updated_at: app.deps.now() + 1 })
        .execute()
      expect(await readProblem()).toBe('no-documents-or-model')
      expect(await readChannelProblem()).toBe('no-documents-or-model')
    })
  })

  describe('with an assistants server that does not know the assistant', () => {
    beforeEach(async () => {
      model = await startModelStandIn()
      await open({ OPENAI_BASE_URL: model.url })
      await fail()
    })

    it('belongs to the channel, too, until it has another assistant', async () => {
      expect(await readProblem()).toBe('gone')
      expect(await readChannelProblem()).toBe('gone')
      await app.deps.db
        .updateTable('channels')
        .set({ assistant_id: 'other', updated_at: app.deps.now() + 1 })
        .execute()
      expect(await readChannelProblem()).toBeUndefined()
      expect(await readLastReply()).toMatchObject({ error: 'This assistant could not answer at that time.' })
      expect(await readProblem()).toBeUndefined()
    })

    it('is shown where the channels are managed, and is no failure of the model endpoint', async () => {
      const system = await createAdmin(app.deps, { isSystemAdmin: true })
      const { body } = await app.call(channelsApi.list, { as: system, query: {} })
      expect(body).toMatchObject([{ warning: expect.stringMatching(/no assistant with the ID “guide”/) }])
      const overview = (await app.call(overviewApi.get, { as: system })).body
      expect(overview.attention).toEqual([
        { kind: 'channels-without-assistant', count: 1, channelId: params.channelId },
      ])
      expect(await readLastChatFailure(app.deps)).toBeNull()
    })

    it('goes away when a later check finds the assistant', async () => {
      model?.assistants.set('guide', { name: 'Guide', model: 'gpt-4o', instructions: '' })
      expect(await readChannelProblem()).toBe('gone')
      await check()
      expect(await readChannelProblem()).toBeUndefined()
    })

    it('is looked up again without a request, and no longer prevents another attempt', async () => {
      await passCheckInterval()
      expect(await readChannelProblem()).toBe('gone')
      expect(await readProblem()).toBe('gone')
      model?.assistants.set('guide', { name: 'Guide', model: 'gpt-4o', instructions: '' })
      await passCheckInterval()
      expect(await readChannelProblem()).toBeUndefined()
      expect(await readProblem()).toBeUndefined()
    })

    it('goes away when the assistant replies', async () => {
      model?.assistants.set('guide', { name: 'Guide', model: 'gpt-4o', instructions: '' })
      await fail()
      expect(await readLastReply()).toMatchObject({ state: 'complete' })
      expect(await readChannelProblem()).toBeUndefined()
    })

    it('is gone when a ready-made assistant with the ID was created', async () => {
      app.advance(1000)
      await createPreset()
      expect(await readProblem()).toBeUndefined()
    })
  })
})

describe('the setup problem of a channel whose assistant was only looked up', () => {
  beforeEach(async () => {
    model = await startModelStandIn()
    await open({})
    const as = await createAdmin(app.deps, { isSystemAdmin: true })
    const body = { baseUrl: model.url, model: '', embeddingModel: '' }
    expect((await app.call(connectionsApi.setModel, { as, body })).status).toBe(200)
  })

  it('is that the assistants server does not know it, until the connection changes', async () => {
    expect(await readChannelProblem()).toBeUndefined()
    await check()
    expect(await readChannelProblem()).toBe('gone')
    const as = await createAdmin(app.deps, { isSystemAdmin: true })
    const body = { baseUrl: model?.url ?? '', model: '', embeddingModel: '', apiKey: 'another' }
    await app.call(connectionsApi.setModel, { as, body })
    expect(await readChannelProblem()).toBeUndefined()
  })

  it('is found when a connection is saved', async () => {
    const as = await createAdmin(app.deps, { isSystemAdmin: true })
    const body = { baseUrl: model?.url ?? '', model: '', embeddingModel: '', apiKey: 'another' }
    await app.call(connectionsApi.setModel, { as, body })
    await app.runJobs()
    expect(await readChannelProblem()).toBe('gone')
    model?.assistants.set('guide', { name: 'Guide', model: 'gpt-4o', instructions: '' })
    await app.call(connectionsApi.setModel, { as, body })
    await app.runJobs()
    expect(await readChannelProblem()).toBeUndefined()
  })

  it('is unknown while the server cannot answer', async () => {
    model?.script({ on: 'assistants', fault: { kind: 'status', status: 401 } })
    await check()
    expect(await readChannelProblem()).toBeUndefined()
  })

  /** Returns its port, for the next server. */
  async function stopServer(): Promise<number> {
    await model?.close()
    return Number(new URL(model?.url ?? '').port)
  }

  it('is found, and ends, once a server that was away answers again', async () => {
    const port = await stopServer()
    await app.runJobs()
    expect(await readChannelProblem()).toBeUndefined()
    model = await startModelStandIn({ port })
    await passCheckInterval()
    expect(await readChannelProblem()).toBe('gone')
    await stopServer()
    await passCheckInterval()
    expect(await readChannelProblem()).toBe('gone')
    model = await startModelStandIn({ port })
    model.assistants.set('guide', { name: 'Guide', model: 'gpt-4o', instructions: '' })
    await passCheckInterval()
    expect(await readChannelProblem()).toBeUndefined()
  })

  it('ends although a check covers only some of the assistants', async () => {
    await check()
    expect(await readChannelProblem()).toBe('gone')
    for (let other = 0; other < 60; other += 1)
      await createTestChannel(app.deps, { useAssistant: true, openaiAssistantId: `assistant-${other}` })
    model?.assistants.set('guide', { name: 'Guide', model: 'gpt-4o', instructions: '' })
    await app.runJobs()
    expect(await readChannelProblem()).toBeUndefined()
    expect(new Set(model?.requests.map(({ path }) => path)).size).toBeLessThan(60)
  })
})

describe('the setup problem of a channel that answers from documents', () => {
  async function openCustom(env: Record<string, string>, strictDocumentsOnly: boolean): Promise<void> {
    app = await buildTestApp({ env })
    const channelId = await createTestChannel(app.deps, { strictDocumentsOnly })
    admin = await createAdmin(app.deps, { channels: [channelId] })
    params = { channelId, chatId: '' }
  }
  async function readCounts() {
    const { body } = await app.call(channelsApi.get, { as: admin, params: { id: params.channelId } })
    return [body.documentCount, body.answerableDocumentCount]
  }
  async function upload(): Promise<string> {
    const { body } = await app.upload(documentsApi.upload, {
      as: admin,
      fields: { channelId: params.channelId },
      file: { name: 'Travel policy.txt', content: 'A night in a hotel may cost up to 150 euros.' },
    })
    return body._id
  }

  it('is that it is strict and has no documents, until one is approved and indexed', async () => {
    model = await startModelStandIn()
    await openCustom({ OPENAI_BASE_URL: model.url }, true)
    const member = await createUser(app.deps, { channels: [params.channelId] })
    expect(await readChannelProblem()).toBe('no-documents')
    expect(await readChannelProblem(member)).toBe('no-documents')
    const id = await upload()
    expect(await readChannelProblem()).toBe('no-documents')
    expect(await readCounts()).toEqual([1, 0])
    await app.call(documentsApi.approve, { as: admin, params: { id } })
    await app.runJobs()
    expect(await readChannelProblem()).toBeUndefined()
    expect(await readCounts()).toEqual([1, 1])
  })

  it('is that it has neither documents nor a model', async () => {
    await openCustom({}, false)
    expect(await readChannelProblem()).toBe('no-documents-or-model')
    const { body } = await app.call(chatsApi.create, { as: admin, params, body: {} })
    params.chatId = body._id
    await fail()
    expect(await readProblem()).toBe('no-documents-or-model')
    const id = await upload()
    await app.call(documentsApi.approve, { as: admin, params: { id } })
    await app.runJobs()
    expect(await readChannelProblem()).toBeUndefined()
    expect(await readLastReply()).toMatchObject({ state: 'complete', mode: 'refusal', isMended: true })
    expect(await readProblem()).toBeUndefined()
  })

  it('does not exist for an open channel with a model', async () => {
    model = await startModelStandIn()
    await openCustom({ OPENAI_BASE_URL: model.url }, false)
    expect(await readChannelProblem()).toBeUndefined()
  })
})
