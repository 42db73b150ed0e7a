import { channelsApi } from '@lyceum/contract/channels'
import { type Document, documentsApi } from '@lyceum/contract/documents'
import { getStartedApi } from '@lyceum/contract/get-started'
import { invitationsApi } from '@lyceum/contract/invitations'
import { permissionNames } from '@lyceum/contract/permissions'
import { statusApi } from '@lyceum/contract/status'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createUser, type TestUser } from '#testing/factories.ts'
import { startModelStandIn } from '#testing/model-stand-in.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let admin: TestUser
beforeEach(() => start())
afterEach(() => app.close())

async function start(env: Record<string, string> = {}): Promise<void> {
  app = await buildTestApp({ env })
  admin = await createAdmin(app.deps)
}

async function readSteps(as = admin): Promise<Record<string, boolean>> {
  const { body } = await app.call(getStartedApi.get, { as })
  return Object.fromEntries(body.steps.map(({ step, isDone }) => [step, isDone]))
}

async function readProblem(name: string) {
  const { body } = await app.call(getStartedApi.get, { as: admin })
  return body.steps.find(({ step }) => step === name)?.problem
}

describe('GET /admin/get-started', () => {
  it('rejects ordinary users and administrators without canAccessAdminPanel', async () => {
    const outside = await createAdmin(app.deps, { permissions: { canAccessAdminPanel: false } })
    for (const as of [await createUser(app.deps), outside])
      expect((await app.call(getStartedApi.get, { as })).status).toBe(403)
  })

  it('lists only the steps that the administrator may do', async () => {
    const denied = Object.fromEntries(permissionNames.map((name) => [name, false]))
    const reviewer = await createAdmin(app.deps, {
      permissions: {
        ...denied,
        canAccessAdminPanel: true,
        canManageDocuments: true,
        canApproveDocuments: true,
        // Without canManageChannels, there is no page on which to do these.
        canCreateChannels: true,
        canUploadDocuments: true,
      },
    })
    expect(await readSteps(reviewer)).toEqual({ approval: false })
    const idle = await createAdmin(app.deps, { permissions: { ...denied, canAccessAdminPanel: true } })
    expect(await readSteps(idle)).toEqual({})
  })

  it('ticks each step once it is done', async () => {
    const steps = {
      channel: false,
      documents: false,
      approval: false,
      model: false,
      mail: false,
      people: false,
    }
    expect(await readSteps()).toEqual(steps)

    const { body: channel } = await app.call(channelsApi.create, {
      as: admin,
      body: { name: 'Rules', description: 'House rules', llmModel: 'gpt-4o' },
    })
    steps.channel = true
    expect(await readSteps()).toEqual(steps)

    const uploaded = await app.upload(documentsApi.upload, {
      as: admin,
      fields: { channelId: channel._id },
      file: { name: 'rules.txt', content: 'Doors close at ten.' },
    })
    steps.documents = true
    expect(await readSteps()).toEqual(steps)

    const { _id: id } = uploaded.body as Document
    await app.call(documentsApi.approve, { as: admin, params: { id } })
    steps.approval = true
    expect(await readSteps()).toEqual(steps)

    await app.call(invitationsApi.create, {
      as: admin,
      body: {
        email: 'guest@example.org',
        fullName: 'A Guest',
        allowedChannels: [],
        twoFactorExpiryEnabled: false,
        twoFactorExpiryDays: 30,
      },
    })
    steps.people = true
    expect(await readSteps()).toEqual(steps)

    await app.call(documentsApi.remove, { as: admin, params: { id } })
    expect(await readSteps()).toEqual({ ...steps, documents: false, approval: false })
  })

  it('counts a second user as invited, whether or not an invitation is left', async () => {
    await createUser(app.deps)
    expect((await readSteps())['people']).toBe(true)
  })

  it('ticks the mail server from the settings of the server, and the model while it answers', async () => {
    const model = await startModelStandIn()
    await app.close()
    await start({ SMTP_URL: 'smtp://mail.example.org', OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'a-key' })
    expect(await readSteps()).toMatchObject({ model: false, mail: true })
    expect(await readProblem('model')).toBe('untested')
    function test() {
      return app.call(statusApi.test, { as: admin, params: { part: 'model' } })
    }
    await test()
    await expect.poll(async () => (await readSteps())['model']).toBe(true)
    expect(await readProblem('model')).toBeUndefined()
    await model.close()
    await test()
    await expect.poll(() => readProblem('model')).toBe('failing')
    expect(await readSteps()).toMatchObject({ model: false })
  })
})
