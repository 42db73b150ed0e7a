import { assistantsApi } from '@lyceum/contract/assistants'
import { channelsApi, type LanguageModel, languageModels } from '@lyceum/contract/channels'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let admin: TestUser
beforeEach(async () => {
  app = await buildTestApp()
  admin = await createAdmin(app.deps)
})
afterEach(() => app.close())

function setOffered(offered: LanguageModel[] | undefined, as = admin) {
  return app.call(assistantsApi.setModelMap, { as, body: { map: {}, offered } })
}
async function listOffered() {
  const { body } = await app.call(assistantsApi.status, { as: admin })
  return body.models.filter((model) => model.offered).map(({ label }) => label)
}
function createInput(llmModel: LanguageModel) {
  return { name: 'Name', description: 'Words', llmModel }
}
function createChannel(llmModel: LanguageModel) {
  return app.call(channelsApi.create, { as: admin, body: createInput(llmModel) })
}
function changeChannel(id: string, llmModel: LanguageModel) {
  return app.call(channelsApi.update, { as: admin, params: { id }, body: createInput(llmModel) })
}

describe('offered models', () => {
  it('can be changed with canManageSettings, but never to an empty list', async () => {
    const reader = await createAdmin(app.deps, { permissions: { canManageSettings: false } })
    expect((await setOffered(['o1'], reader)).status).toBe(403)
    const none = await setOffered([])
    expect([none.status, none.body.fields]).toEqual([400, { offered: 'Offer at least one model' }])
    expect((await setOffered(['o1', 'o1'])).status).toBe(400)
    expect((await setOffered(['gpt-9' as 'o1'])).status).toBe(400)
    expect(await listOffered()).toEqual(languageModels)
  })

  it('stay unchanged when only the model map is changed', async () => {
    await setOffered(['o1', 'gpt-4o'])
    await app.call(assistantsApi.setModelMap, { as: admin, body: { map: { o1: 'local' } } })
    expect(await listOffered()).toEqual(['gpt-4o', 'o1'])
    const rows = await app.deps.db
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('action', '=', 'settings.changed')
      .orderBy('seq')
      .execute()
    expect(rows.map(({ after }) => JSON.parse(after ?? ''))).toEqual([
      { offered: ['gpt-4o', 'o1'] },
      { modelMap: { o1: 'local' } },
    ])
    expect(JSON.parse(rows[0]?.before ?? '')).toEqual({ offered: languageModels })
  })

  it('limit new choices, but a channel may keep a model that it already has', async () => {
    const old = await createTestChannel(app.deps, { llmModel: 'o3-mini' })
    await setOffered(['gpt-4o', 'o1'])
    const expectedFields = { llmModel: 'This model is not offered. Choose another one.' }
    const created = await createChannel('o3-mini')
    expect([created.status, created.body.fields]).toEqual([400, expectedFields])
    expect((await changeChannel(old, 'o3-mini')).status).toBe(200)
    const changed = await changeChannel(old, 'o1-pro')
    expect([changed.status, changed.body.fields]).toEqual([400, expectedFields])
    expect((await changeChannel(old, 'o1')).status).toBe(200)
    expect((await changeChannel(old, 'o3-mini')).status).toBe(400)
    expect((await createChannel('gpt-4o')).status).toBe(200)
    const { body } = await app.call(channelsApi.get, { as: admin, params: { id: old } })
    expect(body.llmModel).toBe('o1')
  })
})
