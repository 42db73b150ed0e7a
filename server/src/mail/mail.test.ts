import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readOutbox, startMailServer, type TestMailServer } from '#testing/mail-server.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { queueEmail } from './send-mail.ts'

const minute = 60_000

const content = {
  subject: 'A subject',
  heading: 'Hello <b>you</b>',
  paragraphs: ['One & two.'],
  action: { label: 'Open it', url: 'https://chat.example.org/x?token=abc&y=1' },
  facts: [['Browser', 'Firefox on Linux']] as const,
  note: 'You can ignore this.',
}

let app: TestApp
let server: TestMailServer
beforeEach(async () => {
  server = await startMailServer()
  app = await buildTestApp({ env: { SMTP_URL: server.url } })
})
afterEach(async () => {
  await app.close()
  await server.close()
})

function queueTestEmail(expiresAt: number | null = null) {
  return app.deps.db
    .transaction()
    .execute((tx) =>
      queueEmail(app.deps, tx, { to: { address: 'ada@example.org', name: 'Ada' }, content, expiresAt }),
    )
}

function listMailJobs() {
  return app.deps.db.selectFrom('jobs').selectAll().where('name', '=', 'mail.send').execute()
}

describe('an email', () => {
  it('has the same content in HTML and plain text, with all markup escaped', async () => {
    await queueTestEmail()
    await app.runJobs()
    const [mail] = server.received
    expect(mail).toMatchObject({ to: 'ada@example.org', subject: 'A subject' })
    for (const words of ['One & two.', 'Open it', 'Firefox on Linux', 'You can ignore this.'])
      expect(mail?.text).toContain(words)
    expect(mail?.text).toContain(content.action.url)
    expect(mail?.html).toContain('Hello &lt;b&gt;you&lt;/b&gt;')
    expect(mail?.html).toContain('token=abc&amp;y=1')
    expect(await listMailJobs()).toEqual([])
  })

  it('is not readable in the database while it waits', async () => {
    await queueTestEmail()
    expect(JSON.stringify(await listMailJobs())).not.toMatch(/token=abc|ada@example/)
  })

  it('is retried under the same id when the mail server is busy or drops the connection', async () => {
    server.behavior = 'is busy'
    await queueTestEmail()
    await app.runJobs()
    expect(await listMailJobs()).toMatchObject([{ state: 'waiting', attempts: 1 }])
    server.behavior = 'disconnects after the message'
    app.advance(minute)
    await app.runJobs()
    expect(await listMailJobs()).toMatchObject([{ state: 'waiting', attempts: 2 }])
    server.behavior = 'accepts'
    app.advance(5 * minute)
    await app.runJobs()
    expect(await listMailJobs()).toEqual([])
    const ids = server.received.map(({ messageId }) => messageId)
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
  })

  it('is not retried and remains a failed job when the mail server refuses it', async () => {
    server.behavior = 'refuses'
    await queueTestEmail()
    await app.runJobs()
    expect(await listMailJobs()).toMatchObject([{ state: 'failed', attempts: 1 }])
  })

  it('is not sent once its link or code has expired', async () => {
    server.behavior = 'is busy'
    await queueTestEmail(app.deps.now() + 30_000)
    await app.runJobs()
    server.behavior = 'accepts'
    app.advance(minute)
    await app.runJobs()
    expect(server.received).toEqual([])
    expect(await listMailJobs()).toMatchObject([{ state: 'failed' }])
  })
})

it('writes emails to the outbox folder when no mail server is configured', async () => {
  const appWithoutSmtp = await buildTestApp()
  await appWithoutSmtp.deps.db.transaction().execute((tx) =>
    queueEmail(appWithoutSmtp.deps, tx, {
      to: { address: 'ada@example.org', name: 'Ada' },
      content,
      expiresAt: null,
    }),
  )
  await appWithoutSmtp.runJobs()
  expect(await readOutbox(appWithoutSmtp.folder)).toMatchObject([
    { to: 'ada@example.org', subject: 'A subject' },
  ])
  await appWithoutSmtp.close()
})
