import { analyticsApi } from '@lyceum/contract/analytics'
import { chatsApi } from '@lyceum/contract/chats'
import { documentsApi } from '@lyceum/contract/documents'
import { statusApi } from '@lyceum/contract/status'
import { type WebhookInput, webhookEvents, webhooksApi } from '@lyceum/contract/webhooks'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAdmin, createTestChannel, type TestUser } from '#testing/factories.ts'
import { readOutbox } from '#testing/mail-server.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { startTestHook, type TestHook } from '#testing/test-hook.ts'
import { deliveryRetention } from './jobs.ts'

let app: TestApp
let admin: TestUser
let channelId: string
let hook: TestHook
beforeEach(async () => {
  app = await buildTestApp()
  channelId = await createTestChannel(app.deps, { name: 'Handbook' })
  admin = await createAdmin(app.deps, { isSystemAdmin: true, channels: [channelId] })
  hook = await startTestHook()
})
afterEach(async () => {
  vi.useRealTimers()
  await hook.close()
  await app.close()
})

/** After time has passed, earlier sessions have expired. */
async function signInAgain(): Promise<void> {
  admin = await createAdmin(app.deps, { isSystemAdmin: true, channels: [channelId] })
}

async function add(changes: Partial<WebhookInput> = {}) {
  const input = { name: 'Helpdesk', url: hook.url, events: [...webhookEvents], isEnabled: true, ...changes }
  return app.call(webhooksApi.add, { as: admin, body: input })
}

/** Adds a webhook. Returns its id and secret. */
async function addWebhook(changes?: Partial<WebhookInput>): Promise<{ webhookId: string; secret: string }> {
  const { status, body } = await add(changes)
  expect(status).toBe(200)
  return { webhookId: body.webhooks[0]?._id ?? '', secret: body.secret }
}

async function upload(content = 'Doors close at eight.'): Promise<string> {
  const fields = { channelId, title: 'Rules' }
  const file = { name: 'rules.txt', content }
  const { body } = await app.upload(documentsApi.upload, { as: admin, fields, file })
  return body._id
}

async function ask(question: string) {
  const chat = await app.call(chatsApi.create, { as: admin, params: { channelId }, body: {} })
  const params = { channelId, chatId: chat.body._id }
  const { body } = await app.call(chatsApi.send, { as: admin, params, body: { message: question } })
  return { params, reply: body.reply }
}

async function listDeliveries(webhookId: string) {
  const { body } = await app.call(webhooksApi.deliveries, { as: admin, params: { webhookId } })
  return body.deliveries
}

/** When the only delivery is due. */
async function findRunTime(): Promise<number> {
  const { run_at } = await app.deps.db
    .selectFrom('jobs')
    .select('run_at')
    .where('name', '=', 'webhooks.deliver')
    .executeTakeFirstOrThrow()
  return run_at
}

async function findWebhook() {
  const { body } = await app.call(webhooksApi.get, { as: admin })
  return body.webhooks[0]
}

describe('POST /settings/webhooks', () => {
  it.each<[string, Partial<WebhookInput>]>([
    ['url', { url: 'https://169.254.169.254/hook' }],
    ['url', { url: 'http://desk.example.org/hook' }],
    ['url', { url: 'https://no-such-host.invalid/hook' }],
    ['events', { events: [] }],
  ])('refuses a wrong %s', async (field, changes) => {
    const { status, body } = await add(changes)
    expect([status, Object.keys(body.fields ?? {})]).toEqual([400, [field]])
    expect(await findWebhook()).toBeUndefined()
  })

  it('refuses more than ten webhooks', async () => {
    for (let left = 10; left > 0; left -= 1) await addWebhook()
    expect((await add()).body.code).toBe('webhook.limit')
  })

  it('returns the secret once, and stores and records neither it nor the path', async () => {
    const { secret } = await addWebhook()
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
    const rows = [
      await app.deps.db.selectFrom('webhooks').selectAll().execute(),
      await app.deps.db.selectFrom('audit_log').selectAll().execute(),
      await findWebhook(),
    ]
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(JSON.stringify(rows.slice(0, 2))).not.toContain('/hook/token')
  })
})

describe('POST /settings/webhooks/:webhookId/secret', () => {
  it('answers 404 without such a webhook', async () => {
    const params = { webhookId: 'unknown' }
    expect((await app.call(webhooksApi.replaceSecret, { as: admin, params })).status).toBe(404)
  })

  it('refuses a webhook that cannot be decrypted', async () => {
    const { webhookId } = await addWebhook()
    await app.deps.db.updateTable('webhooks').set({ sealed: 'nothing' }).execute()
    const { body } = await app.call(webhooksApi.replaceSecret, { as: admin, params: { webhookId } })
    expect(body.code).toBe('webhook.unreadable')
  })

  it('signs with the new secret only, which is not recorded', async () => {
    const { webhookId, secret } = await addWebhook()
    const replaced = await app.call(webhooksApi.replaceSecret, { as: admin, params: { webhookId } })
    await upload()
    await app.runJobs()
    const [request] = hook.requests
    if (!request) throw new Error('nothing was sent')
    vi.setSystemTime(app.deps.now())
    expect(new Webhook(replaced.body.secret).verify(request.body, request.headers)).toEqual(request.payload)
    expect(() => new Webhook(secret).verify(request.body, request.headers)).toThrow('No matching signature')
    const entries = await app.deps.db
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', 'settings.webhook-changed')
      .execute()
    expect(entries).toHaveLength(1)
    expect(JSON.stringify(entries)).toContain('isSecretChanged')
    expect(JSON.stringify(entries)).not.toContain(replaced.body.secret)
  })
})

describe('a webhook', () => {
  it('gets nothing while it is switched off, and only the events that it wants', async () => {
    const { webhookId } = await addWebhook({ isEnabled: false })
    await upload()
    const body = { name: 'Helpdesk', url: hook.url, events: ['document.approved' as const], isEnabled: true }
    await app.call(webhooksApi.change, { as: admin, params: { webhookId }, body })
    const id = await upload('Doors open at nine.')
    await app.call(documentsApi.approve, { as: admin, params: { id } })
    await app.runJobs()
    expect(hook.requests.map(({ payload }) => payload.type)).toEqual(['document.approved'])
  })

  it('gets signed events that the library of Standard Webhooks verifies', async () => {
    const { webhookId, secret } = await addWebhook()
    const id = await upload()
    await app.runJobs()
    const [request] = hook.requests
    if (!request) throw new Error('nothing was sent')
    vi.setSystemTime(app.deps.now())
    const verified = new Webhook(secret).verify(request.body, request.headers)
    expect(verified).toEqual(request.payload)
    expect(() => new Webhook(secret).verify(`${request.body} `, request.headers)).toThrow(
      'No matching signature',
    )
    expect(request.payload).toEqual({
      type: 'document.pending',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        document: { id, name: 'Rules', version: 1 },
        channel: { id: channelId, name: 'Handbook' },
        url: `${app.deps.env.PUBLIC_URL}/admin/documents`,
      },
    })
    expect(await listDeliveries(webhookId)).toMatchObject([{ state: 'delivered', attempts: 1, error: null }])
  })

  it('is told about a document that could not be indexed', async () => {
    await addWebhook({ events: ['document.index-failed'] })
    const id = await upload()
    await app.deps.db
      .updateTable('document_versions')
      .set({ file_key: 'ab'.repeat(20) })
      .execute()
    await app.call(documentsApi.approve, { as: admin, params: { id } })
    for (const pause of [0, 5_000, 60_000, 600_000]) {
      app.advance(pause + 1_000)
      await app.runJobs()
    }
    expect(hook.requests.map(({ payload }) => payload.data)).toMatchObject([{ document: { id } }])
  })

  it('is told about unanswered questions and bad ratings, without what was said', async () => {
    const { webhookId } = await addWebhook({ events: ['question.unanswered', 'reply.flagged'] })
    const { params, reply } = await ask('Where does the purple elephant sleep?')
    const rated = { ...params, messageId: reply._id }
    for (const rating of ['bad', 'bad', 'good'] as const)
      await app.call(chatsApi.rate, {
        as: admin,
        params: rated,
        body: { rating, reason: 'incorrect', comment: 'A secret comment' },
      })
    await app.runJobs()
    expect(hook.requests.map(({ payload }) => payload.type).sort()).toEqual([
      'question.unanswered',
      'reply.flagged',
    ])
    expect(JSON.stringify(hook.requests)).not.toMatch(/elephant|secret comment/i)
    const deliveries = await listDeliveries(webhookId)
    expect(deliveries.find(({ event }) => event === 'reply.flagged')).toMatchObject({
      ...{ documentName: null, channelId, chatId: params.chatId },
    })
    const questions = await app.call(analyticsApi.questions, {
      as: admin,
      query: { from: '2026-11-01', to: '2026-11-30' },
    })
    expect(questions.body.items).toHaveLength(1)
  })
})

describe('a webhook that fails', () => {
  it('gets the second attempt as soon as it is due', async () => {
    const { webhookId } = await addWebhook()
    hook.answerWith(500)
    await upload()
    await app.runJobs()
    app.advance((await findRunTime()) - app.deps.now())
    await app.runJobs()
    expect(await listDeliveries(webhookId)).toMatchObject([{ state: 'waiting', attempts: 2 }])
  })

  it('is tried again with the same id, and its deliveries are listed', async () => {
    const { webhookId } = await addWebhook()
    hook.answerWith(500)
    await upload()
    await app.runJobs()
    expect(await listDeliveries(webhookId)).toMatchObject([
      {
        ...{ state: 'waiting', attempts: 1, error: expect.stringContaining('(500)') },
        nextAttemptAt: new Date(await findRunTime()).toISOString(),
        ...{ documentName: 'Rules', documentVersion: 1, channelName: 'Handbook', channelId, chatId: null },
      },
    ])
    hook.answerWith(200)
    app.advance(6 * 60_000)
    await app.runJobs()
    const ids = hook.requests.map(({ headers }) => headers['webhook-id'])
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
    expect(await listDeliveries(webhookId)).toMatchObject([
      { state: 'delivered', attempts: 2, nextAttemptAt: null },
    ])
    expect(await findWebhook()).toMatchObject({ failingSince: null })
  })

  it('is tried at once on request, although it failed a moment ago', async () => {
    const { webhookId } = await addWebhook()
    hook.answerWith(500)
    await upload()
    await app.runJobs()
    const [waiting] = await listDeliveries(webhookId)
    hook.answerWith(200)
    const params = { webhookId, deliveryId: waiting?._id ?? '' }
    await app.call(webhooksApi.resend, { as: admin, params })
    await app.runJobs()
    expect(await listDeliveries(webhookId)).toMatchObject([{ state: 'delivered', attempts: 2 }])
    expect(await app.deps.jobs.countByName('webhooks.deliver')).toEqual({ pending: 0, failed: 0 })
  })

  it('is not sent again through another webhook', async () => {
    const { webhookId } = await addWebhook()
    const { webhookId: other } = await addWebhook({ name: 'Another', events: ['reply.flagged'] })
    await upload()
    await app.runJobs()
    const [delivered] = await listDeliveries(webhookId)
    const params = { webhookId: other, deliveryId: delivered?._id ?? '' }
    await app.call(webhooksApi.resend, { as: admin, params })
    await app.runJobs()
    expect(hook.requests).toHaveLength(1)
  })

  it('is left alone for a minute, so that its other deliveries wait too', async () => {
    await addWebhook()
    hook.answerWith(500)
    await upload('one')
    await app.runJobs()
    await upload('two')
    await app.runJobs()
    expect(hook.requests).toHaveLength(1)
  })

  it('holds up no other webhook while it hangs', async () => {
    const hanging = await startTestHook()
    hanging.answerNever()
    await addWebhook({ name: 'Hanging', url: hanging.url })
    await addWebhook()
    await upload()
    const running = app.runJobs()
    await expect.poll(() => hook.requests.length).toBe(1)
    expect(hanging.requests).toHaveLength(1)
    await hanging.close()
    await running
    const deliveries = await app.deps.db.selectFrom('webhook_deliveries').select('state').execute()
    expect(deliveries.map(({ state }) => state).sort()).toEqual(['delivered', 'waiting'])
  })

  it('is given up after a day, without a failed job, and can be sent again by hand', async () => {
    const { webhookId } = await addWebhook()
    hook.answerWith(500)
    await upload()
    for (let hours = 0; hours < 40; hours += 1) {
      await app.runJobs()
      app.advance(3_600_000)
    }
    await signInAgain()
    const [delivery] = await listDeliveries(webhookId)
    expect(delivery).toMatchObject({ state: 'failed' })
    expect(await app.deps.jobs.count('failed')).toBe(0)
    hook.answerWith(200)
    const params = { webhookId, deliveryId: delivery?._id ?? '' }
    await app.call(webhooksApi.resend, { as: admin, params })
    await app.runJobs()
    expect(await listDeliveries(webhookId)).toMatchObject([
      { state: 'delivered', attempts: (delivery?.attempts ?? 0) + 1 },
    ])
  })

  it('is switched off after three days, which the status and the audit log say', async () => {
    await addWebhook()
    hook.answerWith(500)
    for (let days = 0; days < 5; days += 1) {
      await upload(`Day ${days}`)
      await app.runJobs()
      app.advance(86_400_000)
      await signInAgain()
    }
    expect(await findWebhook()).toMatchObject({ isEnabled: false, isGivenUp: true })
    const { body } = await app.call(statusApi.get, { as: admin })
    expect(body.parts.find(({ part }) => part === 'webhooks')).toMatchObject({
      state: 'failing',
      words: expect.stringContaining('switched off'),
    })
    const actions = await app.deps.db
      .selectFrom('audit_log')
      .select('action')
      .where('action', '=', 'settings.webhook-changed')
      .execute()
    expect(actions).toHaveLength(1)
  })

  it('is switched off at once if it says that it is gone', async () => {
    await addWebhook()
    hook.answerWith(410)
    await upload()
    await app.runJobs()
    expect(await findWebhook()).toMatchObject({ isEnabled: false, isGivenUp: true })
  })

  it('is reported to system administrators by email, once, when it is switched off', async () => {
    await createAdmin(app.deps)
    await addWebhook()
    hook.answerWith(410)
    await upload('one')
    await upload('two')
    await app.runJobs()
    const mails = await readOutbox(app.folder)
    expect(mails).toMatchObject([{ to: admin.email, subject: 'A webhook was switched off in Lyceum' }])
    expect(mails[0]?.text.replaceAll(/\s+/g, ' ')).toMatch(/“Helpdesk”.*\(410\)/)
  })
})

it('sends a test event that is signed, and explains a refusal', async () => {
  const { webhookId } = await addWebhook()
  const params = { webhookId }
  hook.answerWith(401)
  expect((await app.call(webhooksApi.test, { as: admin, params })).body).toMatchObject({
    ok: false,
    words: [expect.stringContaining('refused the credentials (401)')],
  })
  hook.answerWith(204)
  expect((await app.call(webhooksApi.test, { as: admin, params })).body.ok).toBe(true)
  expect(hook.requests.at(-1)?.payload.type).toBe('webhook.test')
  const tested = await app.deps.db
    .selectFrom('audit_log')
    .select('after')
    .where('action', '=', 'settings.tested')
    .executeTakeFirst()
  expect(JSON.parse(tested?.after ?? '')).toMatchObject({ part: 'webhooks', name: 'Helpdesk' })
  expect(await listDeliveries(webhookId)).toEqual([])
})

it('forgets deliveries that ended a month ago', async () => {
  const { webhookId } = await addWebhook()
  await upload()
  await app.runJobs()
  app.advance(deliveryRetention + 86_400_000)
  await app.runJobs()
  await signInAgain()
  expect(await listDeliveries(webhookId)).toEqual([])
})
