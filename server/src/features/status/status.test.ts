import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { documentsApi } from '@lyceum/contract/documents'
import { type PartStatus, type StatusPart, statusApi, statusParts } from '@lyceum/contract/status'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { readOutbox, startMailServer } from '#testing/mail-server.ts'
import { startModelStandIn } from '#testing/model-stand-in.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

let app: TestApp
let admin: TestUser
const cleanups: (() => Promise<void>)[] = []
beforeEach(() => start())
afterEach(async () => {
  await app.close()
  for (const close of cleanups.splice(0)) await close()
})

async function start(env: Record<string, string> = {}): Promise<void> {
  app = await buildTestApp({ env })
  admin = await createAdmin(app.deps)
}
async function restart(env: Record<string, string>): Promise<void> {
  await app.close()
  await start(env)
}

async function readStatus(as = admin) {
  return (await app.call(statusApi.get, { as })).body
}
async function readPartStatus(part: StatusPart) {
  return findPart((await readStatus()).parts, part)
}
function findPart(parts: readonly PartStatus[], part: StatusPart) {
  const found = parts.find((candidate) => candidate.part === part)
  if (!found) throw new Error(`${part} is missing`)
  const facts = Object.fromEntries(found.facts.map(({ label, value }) => [label, value]))
  return { state: found.state, words: found.words, remedy: found.remedy, facts }
}
async function testPart(part: string, as = admin) {
  return app.call(statusApi.test, { as, params: { part } })
}
async function listAuditEntries(action: string) {
  const rows = await app.deps.db
    .selectFrom('audit_log')
    .select(['actor_id', 'result', 'after'])
    .where('action', '=', action)
    .orderBy('seq')
    .execute()
  return rows.map(({ actor_id, result, after }) => [actor_id, result, JSON.parse(after ?? '')])
}

describe('GET /admin/status', () => {
  it('requires canManageSettings', async () => {
    const reader = await createAdmin(app.deps, { permissions: { canManageSettings: false } })
    for (const as of [await createUser(app.deps), reader]) {
      const response = await app.call(statusApi.get, { as })
      expect([response.status, response.body.message]).toEqual([
        403,
        'You do not have permission to manage settings',
      ])
      expect((await testPart('database', as)).status).toBe(403)
    }
    expect(await listAuditEntries('settings.tested')).toEqual([])
  })

  it('describes a fresh installation', async () => {
    const { version, parts, jobs } = await readStatus()
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    const isPostgres = app.deps.env.DATABASE_URL !== undefined
    expect(Object.fromEntries(parts.map(({ part, state }) => [part, state]))).toEqual({
      mail: 'attention',
      model: 'off',
      embeddings: 'off',
      reranking: 'off',
      search: 'ok',
      storage: expect.stringMatching(/^(ok|attention|failing)$/),
      database: 'ok',
      backups: isPostgres ? 'off' : 'attention',
      'audit-stream': 'off',
      webhooks: 'off',
    })
    expect(jobs.failures).toEqual([])
    const { facts } = await readPartStatus('database')
    expect(facts['Kind']).toMatch(isPostgres ? /^PostgreSQL \d/ : /^SQLite 3/)
    expect(facts['Schema']).toMatch(/^00\d\d-/)
    const storage = await readPartStatus('storage')
    expect(storage.facts['Database']).toBeGreaterThan(10_000)
    expect(storage.facts['Free disk space']).toBeGreaterThan(0)
  })

  it('names hosts but no credentials', async () => {
    await restart({
      SMTP_URL: 'smtp://mailer:sesame-smtp@mail.example.org:2525',
      OPENAI_BASE_URL: 'http://models.example.org/v1',
      OPENAI_API_KEY: 'sesame-key',
    })
    const response = await app.call(statusApi.get, { as: admin })
    const text = response.bytes.toString('utf8')
    expect(text).toContain('mail.example.org:2525')
    expect(text).toContain('models.example.org')
    for (const secret of ['sesame', 'mailer:', 'postgres://']) expect(text).not.toContain(secret)
  })

  it('still shows the other parts if one hangs or fails', async () => {
    app.useFirstServer()
    const { deps } = app
    deps.messageSearch.getBacklog = () => new Promise(() => undefined)
    deps.jobs.countByName = () => Promise.reject(new Error('no such table'))
    const { parts } = await readStatus()
    expect(findPart(parts, 'search')).toEqual({
      state: 'unknown',
      words: 'No response within 2 seconds.',
      facts: {},
    })
    const mail = findPart(parts, 'mail')
    expect([mail.state, mail.words]).toEqual(['failing', 'The check failed. See the log for the reason.'])
    expect(findPart(parts, 'database').state).toBe('ok')
  })

  it('reports that the index lacks a document', async () => {
    const channelId = await createTestChannel(app.deps)
    await app.deps.db
      .insertInto('documents')
      .values({
        id: 'd',
        channel_id: channelId,
        title: 'Rules',
        description: '',
        original_name: 'rules.txt',
        status: 'approved',
        version_id: 'v',
        approved_version_id: 'v',
        generation: 'g',
        answering_version_id: 'v',
        uploaded_by: null,
        reviewed_by: null,
        reviewed_at: null,
        idempotency_key: null,
        created_at: 1,
        updated_at: 1,
      })
      .execute()
    const { state, words, facts } = await readPartStatus('search')
    expect([state, words]).toEqual([
      'attention',
      'One document is missing from the index. Indexing is in progress.',
    ])
    expect(facts).toMatchObject({
      Engine: app.deps.passageIndex.engine,
      'Documents used for answers': 1,
      'Documents in the index': 0,
      Passages: 0,
    })
  })

  it('reports approved documents that could not be indexed', async () => {
    const channelId = await createTestChannel(app.deps)
    const { body } = await app.upload(documentsApi.upload, {
      as: admin,
      fields: { channelId },
      file: { name: 'rules.txt', content: 'The rules.' },
    })
    await app.deps.db.updateTable('document_versions').set({ index_state: 'failed' }).execute()
    expect((await readPartStatus('search')).state).toBe('ok')
    await app.deps.db
      .updateTable('documents')
      .set(({ ref }) => ({ status: 'approved', approved_version_id: ref('version_id') }))
      .where('id', '=', body._id)
      .execute()
    const { state, words, remedy } = await readPartStatus('search')
    expect([state, words, remedy]).toEqual([
      'attention',
      'One document could not be indexed.',
      'mend-documents',
    ])
  })
})

describe('POST /admin/status/:part/test', () => {
  it('rejects unknown parts', async () => {
    for (const part of ['everything', 'constructor', '__proto__'])
      expect((await testPart(part)).status).toBe(404)
    expect(await listAuditEntries('settings.tested')).toEqual([])
  })

  it('tests local parts, leaves nothing behind, and audits the test', async () => {
    for (const part of ['search', 'storage', 'database', 'backups']) {
      const { status, body } = await testPart(part)
      expect([part, status, body.ok]).toEqual([part, 200, true])
    }
    expect(await readdir(join(app.folder, 'backups'))).toEqual([])
    const files: string[] = []
    for await (const { key } of app.deps.files.list()) files.push(key)
    expect(files).toEqual([])
    const trial = await app.deps.db.selectFrom('settings').select('key').where('key', '=', 'trial').execute()
    expect(trial).toEqual([])
    expect(await listAuditEntries('settings.tested')).toEqual(
      ['search', 'storage', 'database', 'backups'].map((part) => [admin.id, 'ok', { part }]),
    )
  })

  it('returns a fault as text and audits the failure', async () => {
    app.useFirstServer()
    app.deps.files.put = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }))
    const { status, body } = await testPart('storage')
    expect([status, body.ok, body.words]).toEqual([200, false, ['The test failed: The disk is full.']])
    for (const part of ['model', 'embeddings', 'reranking'])
      expect((await testPart(part)).body.ok).toBe(false)
    expect((await listAuditEntries('settings.tested')).map(([, result]) => result)).toEqual([
      'failed',
      'failed',
      'failed',
      'failed',
    ])
  })

  it('writes an email to the outbox if there is no mail server', async () => {
    const { body } = await testPart('mail')
    expect(body).toMatchObject({
      ok: true,
      words: ['No mail server is configured, so the email was written to the outbox folder.'],
    })
    expect(await readOutbox(app.folder)).toMatchObject([
      { to: admin.email, subject: 'Test email from Lyceum' },
    ])
  })

  it('emails the administrator, and returns what the mail server responds', async () => {
    const server = await startMailServer()
    cleanups.push(() => server.close())
    await restart({ SMTP_URL: server.url })
    expect((await readPartStatus('mail')).facts['Last sent']).toBeNull()
    expect((await testPart('mail')).body.ok).toBe(true)
    expect(server.received).toMatchObject([{ to: admin.email, subject: 'Test email from Lyceum' }])
    const sent = await readPartStatus('mail')
    expect([sent.state, typeof sent.facts['Last sent']]).toEqual(['ok', 'number'])
    server.behavior = 'refuses'
    app.advance(1000)
    const { body } = await testPart('mail')
    expect([body.ok, body.words[0]]).toEqual([false, expect.stringContaining('could not be sent')])
    expect(body.words[0]).not.toContain(admin.email)
    const after = await readPartStatus('mail')
    expect([after.state, typeof after.facts['Last failure']]).toEqual(['failing', 'number'])
  })

  it('calls each model once, and the embedding service', async () => {
    const model = await startModelStandIn()
    cleanups.push(() => model.close())
    await restart({ OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'sesame', MODEL_MAP: '*=local' })
    expect(await readPartStatus('model')).toMatchObject({
      state: 'untested',
      words: 'A model is connected, but has not answered yet.',
    })
    const asked = await testPart('model')
    expect([asked.body.ok, asked.body.words]).toEqual([
      true,
      [expect.stringMatching(/^local answered in [\d.]+ m?s\.$/)],
    ])
    await expect.poll(async () => (await readPartStatus('model')).state).toBe('ok')
    const embedded = await testPart('embeddings')
    expect([embedded.body.ok, embedded.body.words]).toEqual([
      true,
      [expect.stringMatching(/s \(\d+ dimensions\)\.$/)],
    ])
    const used = await app.deps.db.selectFrom('llm_usage').select(['purpose', 'user_id']).execute()
    expect(used.map(({ purpose, user_id }) => [purpose, user_id]).sort()).toEqual([
      ['answer', admin.id],
      ['embed', admin.id],
    ])
  })

  it('reports why a model fails, and shows until it answers that there is no server', async () => {
    const model = await startModelStandIn()
    await restart({ OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'sesame', MODEL_MAP: '*=local' })
    await model.close()
    const { body } = await testPart('model')
    expect([body.ok, body.words[0]]).toEqual([
      false,
      `No server answers at ${model.url}. Check the address and that the server is running.`,
    ])
    await expect.poll(async () => (await readPartStatus('model')).state).toBe('failing')
    const { facts, words } = await readPartStatus('model')
    expect([words.startsWith(`No server answers at ${model.url}.`), facts['Technical details']]).toEqual([
      true,
      expect.stringMatching(/^local: /),
    ])
    expect((await app.call(statusApi.get, { as: admin })).bytes.toString()).not.toContain('sesame')
    app.advance(3_600_000)
    expect((await readPartStatus('model')).state).toBe('failing')
  })

  it('shows the failure of one model for 15 minutes, as the others may work', async () => {
    const model = await startModelStandIn()
    cleanups.push(() => model.close())
    await restart({ OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'sesame', MODEL_MAP: '*=local' })
    model.script({ fault: { kind: 'status', status: 404 } })
    expect((await testPart('model')).body.ok).toBe(false)
    await expect.poll(async () => (await readPartStatus('model')).state).toBe('failing')
    app.advance(3_600_000)
    expect((await readPartStatus('model')).state).toBe('untested')
  })

  it('shows no failure any more once the model has answered again', async () => {
    const model = await startModelStandIn()
    cleanups.push(() => model.close())
    await restart({ OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'sesame', MODEL_MAP: '*=local' })
    model.script({ fault: { kind: 'status', status: 401 } })
    expect((await testPart('model')).body.ok).toBe(false)
    await expect.poll(async () => (await readPartStatus('model')).state).toBe('failing')
    expect((await testPart('model')).body.ok).toBe(true)
    await expect.poll(async () => (await readPartStatus('model')).state).toBe('ok')
  })

  it('starts one backup at a time if backups are scheduled', async () => {
    await restart({ BACKUP_EVERY: '1h' })
    const started = await testPart('backups')
    expect(started.body.words[0]).toMatch(/^A backup was started/)
    expect((await testPart('backups')).body.words[0]).toMatch(/already running/)
    await app.runJobs()
    const { state, facts } = await readPartStatus('backups')
    expect([state, typeof facts['Last backup'], facts['Stored backups']]).toEqual([
      'ok',
      'number',
      expect.any(Number),
    ])
    expect(facts['Stored backups']).toBeGreaterThan(0)
    expect((await listAuditEntries('backup.made')).length).toBeGreaterThan(0)
  })

  it('has a test for every part', async () => {
    const responses = await Promise.all(statusParts.map((part) => testPart(part)))
    expect(responses.map(({ status }) => status)).toEqual(statusParts.map(() => 200))
  })
})

describe('POST /admin/jobs/:id/retry', () => {
  async function insertFailedJob(id: string, name = 'chats.forget-keys') {
    const row = { payload: '{}', attempts: 3, run_at: 1, lease_until: null, owner: null, fence: null }
    const last_error = 'Error: connect to smtp://user:sesame@mail.example.org failed'
    await app.deps.db
      .insertInto('jobs')
      .values({ id, name, ...row, state: 'failed', last_error, created_at: 1 })
      .execute()
  }
  function retry(id: string, as = admin) {
    return app.call(statusApi.retryJob, { as, params: { id } })
  }

  it('requires canManageSettings and a failed job', async () => {
    await insertFailedJob('j1')
    const reader = await createAdmin(app.deps, { permissions: { canManageSettings: false } })
    expect((await retry('j1', reader)).status).toBe(403)
    expect((await retry('none')).status).toBe(404)
    const { jobs } = await readStatus()
    expect(jobs).toMatchObject({ failed: 1, failures: [{ _id: 'j1', name: 'chats.forget-keys' }] })
    expect(jobs.failures[0]?.error).toBe('Error: connect to smtp://mail.example.org failed')
  })

  it('restarts the job once, and is audited', async () => {
    await insertFailedJob('j1')
    const responses = await Promise.all([retry('j1'), retry('j1'), retry('j1')])
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 404, 404])
    await app.runJobs()
    expect((await readStatus()).jobs).toMatchObject({ failed: 0, failures: [] })
    expect(await listAuditEntries('job.retried')).toEqual([[admin.id, 'ok', { job: 'chats.forget-keys' }]])
  })
})
