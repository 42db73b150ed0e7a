import { type AuditReceiver, auditStreamApi, type ReceiverInput } from '@lyceum/contract/audit-stream'
import { statusApi } from '@lyceum/contract/status'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { startTestCollector, type TestCollector } from '#testing/test-collector.ts'
import { auditAlone } from '../append.ts'
import { auditRetention } from '../jobs.ts'
import { createAuditSender } from './audit-sender.ts'

let app: TestApp
let admin: TestUser
let collector: TestCollector
beforeEach(async () => {
  app = await buildTestApp({ stopsClock: true })
  admin = await createAdmin(app.deps, { isSystemAdmin: true })
  collector = await startTestCollector()
})
afterEach(async () => {
  await collector.close()
  await app.close()
})

type HttpInput = Extract<ReceiverInput, { kind: 'http' }>

function http(changes: Partial<HttpInput> = {}): HttpInput {
  return {
    kind: 'http',
    name: 'Collector',
    url: collector.url,
    format: 'json',
    headerName: 'Authorization',
    headerValue: 'Bearer hunter2',
    caCertificate: '',
    ...changes,
  }
}

const syslog: ReceiverInput = {
  kind: 'syslog',
  name: 'Syslog',
  host: 'localhost',
  port: 6514,
  caCertificate: '',
  clientCertificate: '',
}

function add(receiver: ReceiverInput, startsAt: 'now' | 'beginning' = 'now') {
  return app.call(auditStreamApi.add, { as: admin, body: { receiver, startsAt } })
}

async function addedReceiver(
  receiver: ReceiverInput,
  startsAt?: 'now' | 'beginning',
): Promise<AuditReceiver> {
  const { status, body } = await add(receiver, startsAt)
  expect(status).toBe(200)
  const added = body.receivers.find(({ name }) => name === receiver.name)
  if (!added) throw new Error('the receiver is not there')
  return added
}

function sendDue(): Promise<void> {
  return createAuditSender(app.workerDeps).sendDue()
}

async function writeEntries(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1)
    await auditAlone(app.deps, { actor: null, action: 'settings.changed', after: { left } })
}

function listEntries() {
  return app.deps.db
    .selectFrom('audit_log')
    .select(['seq', 'action', 'before', 'after'])
    .orderBy('seq')
    .execute()
}

async function findReceiver(): Promise<AuditReceiver> {
  const [receiver] = (await app.call(auditStreamApi.get, { as: admin })).body.receivers
  if (!receiver) throw new Error('there is no receiver')
  return receiver
}

describe('POST /settings/audit-stream/receivers', () => {
  it.each<[string, () => ReceiverInput]>([
    ['headerValue', () => http({ headerValue: '' })],
    ['headerName', () => http({ headerName: '' })],
    ['headerName', () => http({ headerName: 'Content-Length' })],
    ['caCertificate', () => http({ caCertificate: '-----BEGIN CERTIFICATE-----\nnonsense' })],
    ['url', () => http({ url: 'https://169.254.169.254/events' })],
    ['url', () => http({ url: 'http://collector.example.org/events' })],
    ['host', () => ({ ...syslog, host: 'no-such-host.invalid' })],
    ['clientCertificate', () => ({ ...syslog, clientCertificate: '-----BEGIN CERTIFICATE-----' })],
    ['clientCertificate', () => ({ ...syslog, clientKey: '-----BEGIN PRIVATE KEY-----' })],
  ])('refuses a wrong %s', async (field, createReceiver) => {
    const { status, body } = await add(createReceiver())
    expect(status).toBe(400)
    expect(Object.keys(body.fields ?? {}).map((path) => path.replace(/^receiver\./, ''))).toEqual([field])
    expect((await app.call(auditStreamApi.get, { as: admin })).body.receivers).toEqual([])
  })

  it('refuses more than five receivers', async () => {
    for (const name of ['1', '2', '3', '4', '5']) await addedReceiver({ ...syslog, name })
    expect((await add({ ...syslog, name: '6' })).body.code).toBe('audit.receiver_limit')
  })

  it('stores, shows and records no secret', async () => {
    const receiver = await addedReceiver(http())
    expect(receiver).toMatchObject({ kind: 'http', headerName: 'Authorization', hasHeaderValue: true })
    const row = await app.deps.db.selectFrom('audit_receivers').selectAll().executeTakeFirstOrThrow()
    const stored = JSON.stringify([receiver, row, await listEntries()])
    expect(stored).not.toContain('hunter2')
    expect((await listEntries()).at(-1)).toMatchObject({ action: 'settings.receiver-added' })
  })

  it('sends the entries from now on, beginning with the one about the receiver', async () => {
    await writeEntries(2)
    await addedReceiver(http())
    await writeEntries(1)
    await sendDue()
    expect(collector.listActions()).toEqual(['settings.receiver-added', 'settings.changed'])
    expect(collector.requests[0]?.headers['authorization']).toBe('Bearer hunter2')
  })

  it('sends all entries of the log if asked to', async () => {
    await writeEntries(450)
    await addedReceiver(http(), 'beginning')
    await sendDue()
    expect(collector.listSeqs()).toEqual((await listEntries()).map(({ seq }) => seq))
    expect(collector.requests.length).toBe(3)
    expect(await findReceiver()).toMatchObject({ behind: 0, failure: null })
  })
})

describe('PUT /settings/audit-stream/receivers/:receiverId', () => {
  it('refuses to send the stored secret to another address', async () => {
    const { _id } = await addedReceiver(http())
    const { headerValue: _, ...rest } = http({ url: `${collector.url}/other` })
    const params = { receiverId: _id }
    const { status, body } = await app.call(auditStreamApi.change, { as: admin, params, body: rest })
    expect([status, body.fields]).toEqual([
      400,
      { headerValue: 'Enter this again, because the address has changed.' },
    ])
  })

  it('keeps the secret and the position, and tries again at once', async () => {
    const { _id } = await addedReceiver(http())
    collector.answerWith(500)
    await sendDue()
    collector.answerWith(200)
    const { headerValue: _, ...rest } = http({ name: 'Renamed' })
    const params = { receiverId: _id }
    expect((await app.call(auditStreamApi.change, { as: admin, params, body: rest })).status).toBe(200)
    collector.forget()
    await sendDue()
    expect(collector.listActions()).toEqual(['settings.receiver-added', 'settings.receiver-changed'])
    expect(collector.requests[0]?.headers['authorization']).toBe('Bearer hunter2')
    expect((await listEntries()).at(-1)).toMatchObject({
      before: JSON.stringify({ receiverId: _id, name: 'Collector' }),
    })
  })
})

describe('DELETE /settings/audit-stream/receivers/:receiverId', () => {
  it('records how much the receiver did not get', async () => {
    const { _id } = await addedReceiver(http())
    await writeEntries(2)
    await app.call(auditStreamApi.remove, { as: admin, params: { receiverId: _id } })
    await sendDue()
    expect(collector.requests).toEqual([])
    expect((await listEntries()).at(-1)).toMatchObject({
      action: 'settings.receiver-removed',
      before: expect.stringContaining('"unsent":3'),
    })
  })
})

describe('POST /settings/audit-stream/test', () => {
  it.each([
    [401, 'refused the credentials (401)'],
    [503, 'answered with an error (503)'],
  ])('explains status %i and records the test', async (status, words) => {
    collector.answerWith(status)
    const { body } = await app.call(auditStreamApi.test, { as: admin, body: { receiver: http() } })
    expect(body).toMatchObject({ ok: false, words: [expect.stringContaining(words)] })
    expect((await listEntries()).at(-1)).toMatchObject({
      action: 'settings.tested',
      after: expect.stringContaining('"part":"audit-stream"'),
    })
  })

  it('sends one event, with the stored secret if none is entered', async () => {
    const { _id } = await addedReceiver(http())
    const { headerValue: _, ...rest } = http()
    const { body } = await app.call(auditStreamApi.test, {
      as: admin,
      body: { receiver: rest, receiverId: _id },
    })
    expect(body).toMatchObject({ ok: true, words: [expect.stringContaining('accepted a test event')] })
    expect(collector.listActions()).toEqual(['settings.tested'])
    expect(collector.requests[0]?.headers['authorization']).toBe('Bearer hunter2')
  })
})

describe('the deletion of old entries', () => {
  it('leaves those that a receiver has not got', async () => {
    await writeEntries(3)
    await addedReceiver(http(), 'beginning')
    const old = (await listEntries()).map(({ seq }) => seq)
    app.advance(auditRetention + 1)
    await app.runJobs()
    expect((await listEntries()).slice(0, old.length).map(({ seq }) => seq)).toEqual(old)
    await sendDue()
    app.advance(86_400_000)
    await app.runJobs()
    expect((await listEntries()).filter(({ seq }) => old.includes(seq))).toEqual([])
  })
})

describe('GET /admin/status', () => {
  it('reports a receiver that has failed for a minute, and one that cannot be decrypted', async () => {
    async function readPart() {
      const { body } = await app.call(statusApi.get, { as: admin })
      return body.parts.find(({ part }) => part === 'audit-stream')
    }
    expect(await readPart()).toMatchObject({ state: 'off' })
    await addedReceiver(http())
    collector.answerWith(500)
    await sendDue()
    expect(await readPart()).toMatchObject({ state: 'untested' })
    app.advance(60_000)
    await sendDue()
    const failing = await readPart()
    expect(failing).toMatchObject({
      state: 'failing',
      words: expect.stringContaining('answered with an error (500)'),
    })
    expect(failing?.facts.map(({ label, group }) => [group, label])).toEqual([
      ['Collector', 'Last sent'],
      ['Collector', 'Entries waiting'],
      ['Collector', 'Failing since'],
      ['Collector', 'Reason'],
    ])
    collector.answerWith(200)
    app.advance(60_000)
    await sendDue()
    expect(await readPart()).toMatchObject({ state: 'ok' })
    await app.deps.db.updateTable('audit_receivers').set({ sealed: 'damaged' }).execute()
    expect(await readPart()).toMatchObject({ state: 'failing' })
    expect(await findReceiver()).toMatchObject({ kind: 'unreadable', name: 'Collector' })
  })
})
