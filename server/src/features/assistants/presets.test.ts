import { assistantsApi, type PresetInput, presetMaximum } from '@lyceum/contract/assistants'
import { type ChannelInput, channelsApi } from '@lyceum/contract/channels'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { noModelWarning } from './warnings.ts'

let model: ModelStandIn
let app: TestApp
/** An app without a model endpoint. */
let bare: TestApp
let admin: TestUser
let bareAdmin: TestUser

beforeAll(async () => {
  model = await startModelStandIn()
  app = await buildTestApp({ env: { OPENAI_BASE_URL: model.url } })
  bare = await buildTestApp()
  admin = await createAdmin(app.deps)
  bareAdmin = await createAdmin(bare.deps)
})
beforeEach(async () => {
  model.reset()
  await app.deps.db.deleteFrom('channels').execute()
  await app.deps.db.deleteFrom('assistant_presets').execute()
})
afterAll(async () => {
  await app.close()
  await bare.close()
  await model.close()
})

const guide = {
  assistantId: 'welcome-guide',
  name: 'Welcome guide',
  description: 'For the first week',
  instructions: 'You greet people warmly.',
  model: 'gpt-4o',
  options: { maxOutputTokens: 300 },
} satisfies PresetInput

function callCreate(body: Partial<PresetInput> = {}, as = admin) {
  return app.call(assistantsApi.createPreset, { as, body: { ...guide, ...body } })
}
async function createPreset(body: Partial<PresetInput> = {}) {
  const { status, body: preset } = await callCreate(body)
  expect(status).toBe(200)
  return preset
}
function change(id: string, body: Partial<PresetInput>) {
  return app.call(assistantsApi.updatePreset, { as: admin, params: { id }, body: { ...guide, ...body } })
}
function remove(id: string) {
  return app.call(assistantsApi.removePreset, { as: admin, params: { id } })
}
async function list(as = admin) {
  return (await app.call(assistantsApi.presets, { as })).body
}

const unknownModel =
  'Unknown model. Choose one of these: gpt-4o, gpt-4o-mini, o1, o1-pro, o3-mini, o1-mini, gpt-4o-mini-search-preview'

describe('ready-made assistants', () => {
  it('require canManageSettings for changes and canManageChannels for reading', async () => {
    const { _id: id } = await createPreset()
    const user = await createUser(app.deps)
    const channels = await createAdmin(app.deps, { permissions: { canManageSettings: false } })
    const settings = await createAdmin(app.deps, { permissions: { canManageChannels: false } })
    for (const as of [user, channels]) {
      const { status, body } = await callCreate({ assistantId: 'other' }, as)
      expect([status, body.message]).toEqual([403, 'You do not have permission to manage settings'])
      const removed = await app.call(assistantsApi.removePreset, { as, params: { id } })
      expect(removed.status).toBe(403)
    }
    for (const as of [user, settings])
      expect((await app.call(assistantsApi.presets, { as })).body.message).toBe(
        'You do not have permission to manage channels',
      )
    expect(await list(channels)).toHaveLength(1)
  })

  it.each([
    [{ assistantId: '' }, 'assistantId', 'Assistant ID is required'],
    [{ assistantId: 'a b' }, 'assistantId', 'Use only letters, digits and . _ : - (at most 128 characters)'],
    [
      { assistantId: 'x'.repeat(129) },
      'assistantId',
      'Use only letters, digits and . _ : - (at most 128 characters)',
    ],
    [{ name: ' ' }, 'name', 'Name is required'],
    [{ instructions: 'x'.repeat(16_001) }, 'instructions', 'At most 16000 characters'],
    [{ model: 'gpt-9' as never }, 'model', unknownModel],
    [{ model: undefined as never }, 'model', 'Language model is required'],
    [
      { options: { reasoningEffort: 'huge' as never } },
      'options.reasoningEffort',
      'This value must be low, medium, or high',
    ],
    [{ options: { maxOutputTokens: 0 } }, 'options.maxOutputTokens', 'At least 1'],
  ])('reject %j', async (body, field, message) => {
    const refused = await callCreate(body)
    expect([refused.status, refused.body.fields]).toEqual([400, { [field]: message }])
  })

  it('are stored as given', async () => {
    const preset = await createPreset({ options: { reasoningEffort: 'high', maxOutputTokens: 500 } })
    expect(await list()).toEqual([preset])
    expect(preset).toMatchObject({
      ...guide,
      options: { reasoningEffort: 'high', maxOutputTokens: 500 },
      channelCount: 0,
    })
    const changed = await change(preset._id, { name: 'Guide', assistantId: 'guide', options: {} })
    expect(changed.body).toMatchObject({ name: 'Guide', assistantId: 'guide', options: {} })
    expect(await list()).toEqual([changed.body])
    expect((await remove(preset._id)).body.message).toBe('“Guide” was deleted')
    expect(await list()).toEqual([])
  })

  it('must have unique ids, even when several are created at once', async () => {
    const responses = await Promise.all([callCreate(), callCreate(), callCreate()])
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const other = await createPreset({ assistantId: 'other' })
    const { status, body } = await change(other._id, {})
    expect([status, body.code]).toEqual([409, 'assistant.exists'])
    expect((await change(other._id, { assistantId: 'other', name: 'Still me' })).status).toBe(200)
  })

  it('are limited to the number that can be listed', async () => {
    const preset = await createPreset()
    const { channelCount: _, ...first } = preset
    const rows = Array.from({ length: presetMaximum - 1 }, (_, index) => ({
      id: uuidv7(),
      assistant_id: `many-${index}`,
      name: first.name,
      description: '',
      instructions: '',
      model: 'gpt-4o',
      options: '{}',
      created_at: 0,
      updated_at: 0,
    }))
    for (let index = 0; index < rows.length; index += 100)
      await app.deps.db
        .insertInto('assistant_presets')
        .values(rows.slice(index, index + 100))
        .execute()
    const { status, body } = await callCreate({ assistantId: 'one-more' })
    expect([status, body.code]).toEqual([409, 'assistant.full'])
    expect(await list()).toHaveLength(presetMaximum)
  })

  it('cannot be deleted while channels use them, and report how many do', async () => {
    const { _id: id } = await createPreset()
    const useAssistant = { useAssistant: true, openaiAssistantId: guide.assistantId }
    const first = await createTestChannel(app.deps, useAssistant)
    const refused = await remove(id)
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      409,
      'assistant.in_use',
      'One channel uses this assistant. Choose another one there before you delete it.',
    ])
    const second = await createTestChannel(app.deps, useAssistant)
    expect((await remove(id)).body.message).toMatch(/^2 channels use this assistant\./)
    const renamed = await change(id, { assistantId: 'other' })
    expect([renamed.status, renamed.body.message]).toEqual([
      409,
      '2 channels use this assistant. Choose another one there before you change its ID.',
    ])
    expect((await change(id, { name: 'New name' })).body).toMatchObject({ name: 'New name', channelCount: 2 })
    for (const channel of [first, second])
      await app.call(channelsApi.remove, { as: admin, params: { id: channel } })
    expect((await remove(id)).status).toBe(200)
    expect((await remove(id)).status).toBe(404)
  })
})

describe('testing a ready-made assistant', () => {
  const trial = {
    instructions: 'You speak like a pirate.',
    model: 'gpt-4o',
    options: { maxOutputTokens: 50 },
    message: 'Where is the treasure?',
  } as const
  function tryPreset(body: Partial<typeof trial> | object = {}, as = admin) {
    return app.call(assistantsApi.tryPreset, { as, body: { ...trial, ...body } })
  }

  it('requires canManageSettings, a message and a model', async () => {
    const user = await createUser(app.deps)
    expect((await tryPreset({}, user)).status).toBe(403)
    expect((await tryPreset({ message: '  ' })).body.message).toBe('A message cannot be blank')
    const { status, body } = await bare.call(assistantsApi.tryPreset, { as: bareAdmin, body: trial })
    expect([status, body.code, body.message]).toEqual([
      409,
      'assistant.no_model',
      'No model is connected. Connect one in the settings, then try again.',
    ])
    expect(model.requests).toEqual([])
  })

  it('returns the model’s reply and records its token usage', async () => {
    model.script({ text: 'Arr, under the palm.' })
    const { status, body } = await tryPreset()
    expect([status, body.reply, body.model]).toEqual([200, 'Arr, under the palm.', 'gpt-4o'])
    expect(body.milliseconds).toBeGreaterThanOrEqual(0)
    expect(model.requests[0]?.body).toMatchObject({
      model: 'gpt-4o',
      max_tokens: 50,
      messages: [
        { role: 'system', content: 'You speak like a pirate.' },
        { role: 'user', content: 'Where is the treasure?' },
      ],
    })
    const usage = await app.deps.db.selectFrom('llm_usage').selectAll().execute()
    expect(usage).toMatchObject([{ user_id: admin.id, message_id: null, actual_model: 'gpt-4o' }])
  })

  it('sends a reasoning effort only to reasoning models', async () => {
    const map = { o1: 'o1', 'gpt-4o': 'gpt-4o' }
    await app.call(assistantsApi.setModelMap, { as: admin, body: { map } })
    const options = { reasoningEffort: 'low' }
    await tryPreset({ options, model: 'o1' })
    await tryPreset({ options, model: 'gpt-4o' })
    expect(model.requests.map(({ body }) => body['reasoning_effort'])).toEqual(['low', undefined])
    await app.call(assistantsApi.setModelMap, { as: admin, body: { map: { o1: '', 'gpt-4o': '' } } })
  })

  it('reports why it failed', async () => {
    const fault = { kind: 'status', status: 401, message: 'Incorrect key' } as const
    model.script({ fault })
    const { status, body } = await tryPreset()
    expect([status, body.code]).toEqual([502, 'assistant.unavailable'])
    expect(body.message).toBe('The assistant is not available (the provider answered 401: Incorrect key)')
  })
})

describe('model map', () => {
  function save(map: Record<string, string>, as = admin) {
    return app.call(assistantsApi.setModelMap, { as, body: { map } })
  }
  async function readStatus() {
    return (await app.call(assistantsApi.status, { as: admin })).body
  }

  it('requires canManageSettings, and accepts only labels that exist', async () => {
    const channels = await createAdmin(app.deps, { permissions: { canManageSettings: false } })
    expect((await save({ o1: 'x' }, channels)).status).toBe(403)
    expect((await save({ 'gpt-9': 'x' })).body.fields).toEqual({ map: 'Unknown: gpt-9' })
    expect((await save({ o1: 'two words' })).body.message).toBe(
      'Enter a model name without spaces, at most 200 characters.',
    )
    expect((await readStatus()).modelMap).toEqual({})
  })

  it('applies from the next request, and the status shows the model and the reason', async () => {
    async function readLabel() {
      return (await readStatus()).models.find(({ label }) => label === 'o1')
    }
    expect(await readLabel()).toMatchObject({
      answeredBy: 'gpt-5.6-sol',
      note: 'o1 was retired on Oct 23, 2026. Replies come from gpt-5.6-sol.',
    })
    const saved = await save({ o1: 'llama3.2:3b', '*': 'qwen3' })
    expect(saved.body).toMatchObject({ modelMap: { o1: 'llama3.2:3b', '*': 'qwen3' }, environmentMap: {} })
    expect(await readLabel()).toMatchObject({
      answeredBy: 'llama3.2:3b',
      note: 'Replies for o1 come from llama3.2:3b.',
    })
    await app.call(assistantsApi.tryPreset, { as: admin, body: { model: 'o1', message: 'Hello' } })
    await save({ o1: '' })
    await app.call(assistantsApi.tryPreset, { as: admin, body: { model: 'o1', message: 'Hello' } })
    expect(model.requests.map(({ body }) => body['model'])).toEqual(['llama3.2:3b', 'qwen3'])
    expect((await readStatus()).modelMap).toEqual({ '*': 'qwen3' })
    await save({ '*': '' })
  })

  it('loses no entry when several are saved at once', async () => {
    await Promise.all([save({ o1: 'one' }), save({ 'o1-pro': 'two' }), save({ 'o3-mini': 'three' })])
    expect((await readStatus()).modelMap).toEqual({ o1: 'one', 'o1-pro': 'two', 'o3-mini': 'three' })
    await save({ o1: '', 'o1-pro': '', 'o3-mini': '' })
  })

  it('takes precedence over the environment', async () => {
    const mapped = await buildTestApp({
      env: { OPENAI_BASE_URL: model.url, MODEL_MAP: 'o1=from-environment,*=rest,unknown=x' },
    })
    const as = await createAdmin(mapped.deps)
    async function readAnsweringModel() {
      const { body } = await mapped.call(assistantsApi.status, { as })
      return [body.environmentMap, body.models.find(({ label }) => label === 'o1')?.answeredBy]
    }
    expect(await readAnsweringModel()).toEqual([{ o1: 'from-environment', '*': 'rest' }, 'from-environment'])
    await mapped.call(assistantsApi.setModelMap, { as, body: { map: { o1: 'from-settings' } } })
    expect((await readAnsweringModel())[1]).toBe('from-settings')
    await mapped.close()
  })
})

describe('resolving an assistant id', () => {
  async function resolveId(assistantId: string, on = app, as = admin) {
    return (await on.call(assistantsApi.resolve, { as, query: { assistantId } })).body
  }
  function createChannelInput(openaiAssistantId: string): ChannelInput {
    return {
      name: 'Ready-made',
      description: 'Words',
      systemPrompt: '',
      llmModel: '',
      retentionDays: null,
      strictDocumentsOnly: false,
      allowProposals: false,
      useAssistant: true,
      openaiAssistantId,
    }
  }

  it('requires canManageChannels', async () => {
    const as = await createAdmin(app.deps, { permissions: { canManageChannels: false } })
    const query = { assistantId: 'x' }
    expect((await app.call(assistantsApi.resolve, { as, query })).status).toBe(403)
    expect((await app.call(assistantsApi.resolve, { as: admin, query: { assistantId: '' } })).status).toBe(
      400,
    )
  })

  it('prefers a ready-made assistant over one on the assistants server', async () => {
    model.assistants.set('welcome-guide', { name: 'Elsewhere', model: 'gpt-4o', instructions: '' })
    expect(await resolveId('welcome-guide')).toEqual({ kind: 'external', name: 'Elsewhere', warning: null })
    await createPreset()
    expect(await resolveId('welcome-guide')).toEqual({ kind: 'preset', name: 'Welcome guide', warning: null })
  })

  it('includes the note about its model', async () => {
    await createPreset({ model: 'o1' })
    expect((await resolveId('welcome-guide')).warning).toContain('Replies come from gpt-5.6-sol')
  })

  it('warns if the assistants server does not know the id or does not respond', async () => {
    expect(await resolveId('asst_1')).toEqual({
      kind: 'none',
      name: null,
      warning:
        'The assistants server has no assistant with the ID “asst_1”, so this channel cannot answer. Choose a ready-made assistant from the list.',
    })
    model.script({ on: 'assistants', fault: { kind: 'status', status: 403, message: 'No entry' } })
    expect(await resolveId('asst_1')).toMatchObject({
      kind: 'external',
      warning: 'The request to the assistants server failed: the provider answered 403: No entry.',
    })
    expect((await resolveId('..')).kind).toBe('external')
    expect(model.requests.every(({ path }) => path === '/v1/assistants/asst_1')).toBe(true)
  })

  it('warns if there is no assistants server, also when a channel is saved or listed', async () => {
    const message =
      'No assistant has the ID “asst_1”, so this channel cannot answer. Make it a custom channel with documents, or connect a model and choose a ready-made assistant.'
    expect(await resolveId('asst_1', bare, bareAdmin)).toEqual({ kind: 'none', name: null, warning: message })
    const body = createChannelInput('asst_1')
    const saved = await bare.call(channelsApi.create, { as: bareAdmin, body })
    expect(saved.body.warning).toBe(message)
    const { _id: id } = saved.body
    const updated = await bare.call(channelsApi.update, { as: bareAdmin, params: { id }, body })
    expect(updated.body.warning).toBe(message)
    const listed = await bare.call(channelsApi.list, { as: bareAdmin })
    expect(listed.body).toMatchObject([{ _id: id, warning: message }])
    await bare.call(assistantsApi.createPreset, { as: bareAdmin, body: { ...guide, assistantId: 'asst_1' } })
    const known = await bare.call(channelsApi.get, { as: bareAdmin, params: { id } })
    expect(known.body.warning).toBe(noModelWarning)
    expect((await resolveId('asst_1', bare, bareAdmin)).warning).toBe(noModelWarning)
  })

  it('leaves a missing model out of the warnings of custom channels, because it concerns all of them', async () => {
    const body = {
      ...createChannelInput(''),
      useAssistant: false,
      llmModel: 'o1' as const,
      name: 'Without a model',
    }
    const warnings = await Promise.all(
      [
        { on: bare, as: bareAdmin },
        { on: app, as: admin },
      ].map(async ({ on, as }) => (await on.call(channelsApi.create, { as, body })).body.warning),
    )
    expect(warnings).toEqual([undefined, expect.stringContaining('Replies come from gpt-5.6-sol')])
  })

  it('never asks OpenAI unless it is configured as the assistants server', async () => {
    const openai = await buildTestApp({ env: { OPENAI_API_KEY: 'sk-test' } })
    const as = await createAdmin(openai.deps)
    const { body } = await openai.call(assistantsApi.resolve, { as, query: { assistantId: 'asst_1' } })
    expect(body.kind).toBe('none')
    await openai.close()
  })
})
