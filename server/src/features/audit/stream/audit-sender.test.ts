import { auditStreamApi, type ReceiverInput } from '@lyceum/contract/audit-stream'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { createAuthority, type TestAuthority } from '#testing/test-certificates.ts'
import { startTestCollector, type TestCollector } from '#testing/test-collector.ts'
import { startTestRsyslog, type TestRsyslog } from '#testing/test-rsyslog.ts'
import { auditAlone } from '../append.ts'
import { type AuditSender, createAuditSender } from './audit-sender.ts'

let authority: TestAuthority
let app: TestApp
let collector: TestCollector
let sender: AuditSender
beforeAll(() => {
  authority = createAuthority()
})
afterAll(() => authority.close())
beforeEach(async () => {
  app = await buildTestApp({ stopsClock: true })
  collector = await startTestCollector()
  sender = createAuditSender(app.workerDeps)
})
afterEach(async () => {
  await sender.stop()
  await collector.close()
  await app.close()
})

async function addReceiver(receiver: Partial<ReceiverInput> = {}): Promise<void> {
  const as = await createAdmin(app.deps, { isSystemAdmin: true })
  const body = {
    receiver: {
      kind: 'http',
      name: 'Collector',
      url: collector.url,
      format: 'json',
      headerName: '',
      headerValue: '',
      caCertificate: '',
      ...receiver,
    } as ReceiverInput,
    startsAt: 'beginning' as const,
  }
  expect((await app.call(auditStreamApi.add, { as, body })).status).toBe(200)
}

async function writeEntries(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1)
    await auditAlone(app.deps, { actor: null, action: 'settings.changed', after: { left } })
}

async function listSeqs(): Promise<number[]> {
  const rows = await app.deps.db.selectFrom('audit_log').select('seq').orderBy('seq').execute()
  return rows.map(({ seq }) => seq)
}

function readReceiver() {
  return app.deps.db.selectFrom('audit_receivers').selectAll().executeTakeFirstOrThrow()
}

describe('a receiver that does not accept entries', () => {
  it('is tried again after growing pauses, and then gets all entries in order', async () => {
    await addReceiver()
    collector.answerWith(503)
    for (const pause of [5_000, 15_000, 60_000, 300_000, 300_000]) {
      await writeEntries(1)
      await sender.sendDue()
      const { retry_at } = await readReceiver()
      expect(retry_at - app.deps.now()).toBe(pause)
      const tried = collector.requests.length
      app.advance(pause - 1)
      await sender.sendDue()
      expect(collector.requests.length).toBe(tried)
      app.advance(1)
    }
    expect(await readReceiver()).toMatchObject({ sent_seq: 0, failures: 5 })
    collector.answerWith(200)
    collector.forget()
    await sender.sendDue()
    expect(collector.listSeqs()).toEqual(await listSeqs())
    expect(await readReceiver()).toMatchObject({ failures: 0, failing_since: null, last_error: null })
  })

  it('is left alone for as long as it asks', async () => {
    await addReceiver()
    collector.answerWith(429, { 'retry-after': '120' })
    await sender.sendDue()
    expect((await readReceiver()).retry_at - app.deps.now()).toBe(120_000)
  })

  it('gets the batch again if it closes the connection midway', async () => {
    await addReceiver()
    collector.handleWith((response) => response.destroy())
    await sender.sendDue()
    expect(await readReceiver()).toMatchObject({
      sent_seq: 0,
      last_error: expect.stringContaining('closed the connection'),
    })
    collector.answerWith(200)
    app.advance(5_000)
    await sender.sendDue()
    const all = await listSeqs()
    expect(collector.listSeqs()).toEqual([...all, ...all])
  })

  it('holds up neither the log nor another receiver while it hangs', async () => {
    const hanging = await startTestCollector()
    hanging.handleWith(() => undefined)
    await addReceiver({ name: 'Hanging', url: hanging.url } as Partial<ReceiverInput>)
    await addReceiver()
    const sending = sender.sendDue()
    await expect.poll(() => collector.listSeqs()).toEqual(await listSeqs())
    await writeEntries(1)
    await sender.stop()
    await sending
    await hanging.close()
    const { sent_seq } = await app.deps.db
      .selectFrom('audit_receivers')
      .select('sent_seq')
      .where('name', '=', 'Hanging')
      .executeTakeFirstOrThrow()
    expect(sent_seq).toBe(0)
  })
})

describe('a sender', () => {
  it('sends nothing while another server has the lease, and goes on when that server has ended', async () => {
    await addReceiver()
    const { id } = await readReceiver()
    await app.deps.db
      .insertInto('audit_receiver_leases')
      .values({ receiver_id: id, owner: 'other', lease_until: Number.MAX_SAFE_INTEGER })
      .execute()
    await sender.sendDue()
    expect(collector.requests).toEqual([])
    await app.deps.db.updateTable('audit_receiver_leases').set({ lease_until: 0 }).execute()
    await sender.sendDue()
    expect(collector.listSeqs()).toEqual(await listSeqs())
  })

  it('does not move the position back if it was suspended while another one sent', async () => {
    await addReceiver()
    await writeEntries(3)
    let position = 0
    collector.handleWith((response) => {
      void (async () => {
        position = (await listSeqs()).at(-1) ?? 0
        await app.deps.db.updateTable('audit_receivers').set({ sent_seq: position }).execute()
        response.end()
      })()
    })
    await auditAlone(app.deps, { actor: null, action: 'settings.changed' })
    await sender.sendDue()
    expect((await readReceiver()).sent_seq).toBe(position)
  })
})

describe('rsyslog with TLS', () => {
  let rsyslog: TestRsyslog
  beforeEach(async () => {
    rsyslog = await startTestRsyslog(authority)
  })
  afterEach(() => rsyslog.close())

  function addSyslog(): Promise<void> {
    const { port } = rsyslog
    const rest = {
      host: 'localhost',
      port,
      caCertificate: authority.ca,
      clientCertificate: '',
      clientKey: '',
    }
    return addReceiver({ kind: 'syslog', name: 'rsyslog', ...rest })
  }
  function listReceived(): number[] {
    return rsyslog
      .listMessages()
      .map(({ structuredData }) => Number(/ seq="(\d+)"/.exec(structuredData)?.[1] ?? Number.NaN))
  }

  it('gets every entry in order, also those from while it was down', async () => {
    await addSyslog()
    await writeEntries(250)
    await sender.sendDue()
    await expect.poll(listReceived).toEqual(await listSeqs())
    await rsyslog.kill()
    await writeEntries(2)
    await sender.sendDue()
    expect((await readReceiver()).last_error).toContain('Nothing accepts connections')
    await rsyslog.start()
    app.advance(5_000)
    await sender.sendDue()
    await expect.poll(listReceived).toEqual(await listSeqs())
  })

  it('is refused if it has a certificate of another authority', async () => {
    const { port } = rsyslog
    const other = createAuthority()
    const rest = { host: 'localhost', port, caCertificate: other.ca, clientCertificate: '', clientKey: '' }
    await addReceiver({ kind: 'syslog', name: 'rsyslog', ...rest })
    other.close()
    await sender.sendDue()
    expect((await readReceiver()).last_error).toContain('is not trusted')
    expect(rsyslog.listMessages()).toEqual([])
  })
})
