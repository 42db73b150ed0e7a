import { assistantsApi } from '@lyceum/contract/assistants'
import { auditApi } from '@lyceum/contract/audit'
import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { documentsApi } from '@lyceum/contract/documents'
import { invitationsApi } from '@lyceum/contract/invitations'
import { getPermissions } from '@lyceum/contract/permissions'
import { settingsApi } from '@lyceum/contract/settings'
import { testQuestionsApi } from '@lyceum/contract/test-questions'
import { twoFactorApi } from '@lyceum/contract/two-factor'
import { usersApi } from '@lyceum/contract/users'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  createAdmin,
  createTestChannel,
  createUser,
  type TestUser,
  testPassword,
} from '#testing/factories.ts'
import { readOutbox } from '#testing/mail-server.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { createTestBrowser } from '#testing/test-browser.ts'
import { audit } from './append.ts'
import { verifyChain } from './verify.ts'

let app: TestApp
let system: TestUser
beforeEach(async () => {
  app = await buildTestApp()
  system = await createAdmin(app.deps, { isSystemAdmin: true, name: 'Sys Admin' })
})
afterEach(() => app.close())

function listEntries() {
  return app.deps.db.selectFrom('audit_log').selectAll().orderBy('seq').execute()
}

interface NewEntry {
  action: string
  actorId: string | null
  object: string | null
  result: string
  before: unknown
  after: unknown
}

let readCount = 0
beforeEach(() => {
  readCount = 0
})
/** Returns the entries added since the previous call. */
async function readNewEntries(): Promise<NewEntry[]> {
  const all = await listEntries()
  const added = all.slice(readCount)
  readCount = all.length
  return added.map((row) => ({
    action: row.action,
    actorId: row.actor_id,
    object: row.object_id,
    result: row.result,
    before: row.before && JSON.parse(row.before),
    after: row.after && JSON.parse(row.after),
  }))
}
async function readNewActions(): Promise<string[]> {
  return (await readNewEntries()).map(({ action }) => action)
}

describe('signing in', () => {
  function login(email: string, password: string, door?: 'admin') {
    return app.call(authApi.login, {
      body: { email, password, ...(door ? { door } : {}) },
      ip: '203.0.113.9',
    })
  }

  it('records failed sign-ins with the user, but leaves out an unknown email address', async () => {
    const user = await createUser(app.deps)
    await login(user.email, 'not the password')
    await login('stranger@example.org', 'not the password')
    const [known, unknown, ...rest] = await listEntries()
    expect(rest).toEqual([])
    expect([known?.action, known?.actor_id, known?.object_id, known?.result, known?.ip]).toEqual([
      'sign-in.failed',
      null,
      user.id,
      'failed',
      '203.0.113.9',
    ])
    expect([unknown?.action, unknown?.object_id, unknown?.object_name]).toEqual([
      'sign-in.failed',
      null,
      null,
    ])
    expect(JSON.stringify(await listEntries())).not.toContain('stranger')
  })

  it('records every throttled sign-in, for known and unknown addresses', async () => {
    await app.close()
    app = await buildTestApp({ env: { RATE_LIMIT_SCALE: '1' } })
    const user = await createUser(app.deps)
    for (const email of [user.email, 'stranger@example.org']) {
      let status = 401
      while (status === 401) ({ status } = await login(email, 'not the password'))
      expect(status).toBe(429)
      const last = (await listEntries()).at(-1)
      expect([last?.action, last?.result, last?.object_id]).toEqual([
        'sign-in.throttled',
        'denied',
        email === user.email ? user.id : null,
      ])
      app.advance(3_600_000)
    }
  })

  it('records sign-ins, refused admin sign-ins and sign-outs', async () => {
    const user = await createUser(app.deps)
    expect((await login(user.email, testPassword, 'admin')).status).toBe(403)
    const { body } = await login(user.email, testPassword)
    await app.call(authApi.logout, { as: { ...user, token: body.token ?? '' } })
    const [refused, ok, out] = await listEntries()
    expect([refused?.action, refused?.result, ok?.action, out?.action]).toEqual([
      'sign-in.refused',
      'denied',
      'sign-in.ok',
      'sign-out',
    ])
    expect(ok?.session_id).toBe(out?.session_id)
    expect(ok?.actor_email).toBe(user.email)
  })

  it('records sent, wrong and accepted one-time codes without the codes themselves', async () => {
    const user = await createUser(app.deps, { twoFactor: true })
    const browser = createTestBrowser()
    await app.call(authApi.login, { body: { email: user.email, password: testPassword }, browser })
    const code = /\b\d{6}\b/.exec((await readOutbox(app.folder)).at(-1)?.text ?? '')?.[0] ?? ''
    const wrong = code === '000000' ? '000001' : '000000'
    await app.call(authApi.verify, { body: { email: user.email, token: wrong }, browser })
    await app.call(authApi.verify, { body: { email: user.email, token: code }, browser })
    expect(await readNewActions()).toEqual(['code.sent', 'code.failed', 'sign-in.ok'])
    expect(JSON.stringify(await listEntries())).not.toContain(code)
  })

  it('records a one-time code that could not be sent', async () => {
    app.useFirstServer()
    const send = vi.spyOn(app.deps.mail, 'send').mockRejectedValue(new Error('no mail server'))
    const user = await createUser(app.deps, { twoFactor: true })
    expect((await login(user.email, testPassword)).status).toBe(503)
    expect(send).toHaveBeenCalled()
    expect(await readNewEntries()).toMatchObject([
      { action: 'code.sent', result: 'failed', actorId: user.id },
    ])
  })

  it('records password reset requests, resets, changes and wrong current passwords', async () => {
    const user = await createUser(app.deps)
    await app.call(authApi.forgotPassword, { body: { email: 'stranger@example.org' } })
    await app.call(authApi.forgotPassword, { body: { email: user.email } })
    await app.runJobs()
    const token = /token=([\w-]{43})/.exec((await readOutbox(app.folder)).at(-1)?.text ?? '')?.[1] ?? ''
    const reset = await app.call(authApi.resetPassword, {
      body: { token, newPassword: 'another good password' },
    })
    const as = { ...user, token: reset.body.token ?? '' }
    function change(currentPassword: string) {
      return app.call(usersApi.changePassword, {
        as,
        params: { id: user.id },
        body: { currentPassword, newPassword: 'a third good password' },
      })
    }
    await change('not the password')
    await change('another good password')
    expect((await readNewEntries()).map(({ action, result }) => [action, result])).toEqual([
      ['password.reset-asked', 'ok'],
      ['password.reset', 'ok'],
      ['password.changed', 'failed'],
      ['password.changed', 'ok'],
    ])
    expect(JSON.stringify(await listEntries())).not.toContain('good password')
    expect(JSON.stringify(await listEntries())).not.toContain(token)
  })
})

describe('users', () => {
  it('records the changes to a user from invitation to deletion', async () => {
    const channelId = await createTestChannel(app.deps)
    const invited = await app.call(invitationsApi.create, {
      as: system,
      body: {
        email: 'gus@example.org',
        fullName: 'Gus Guest',
        allowedChannels: [channelId],
        twoFactorExpiryEnabled: false,
        twoFactorExpiryDays: 30,
      },
    })
    const resent = await app.call(invitationsApi.resend, { as: system, params: { id: invited.body._id } })
    const token = new URL(resent.body.link ?? '').searchParams.get('token') ?? ''
    await app.call(authApi.register, {
      body: { email: 'gus@example.org', fullName: 'Gus Guest', password: 'a sound password', token },
    })
    expect(await readNewActions()).toEqual([
      'invitation.created',
      'invitation.resent',
      'invitation.accepted',
      'user.created',
    ])
    const gus = (await listEntries()).at(-1)?.object_id ?? ''
    const params = { id: gus }
    await app.call(usersApi.update, { as: system, params, body: { name: 'Gus Host' } })
    await app.call(usersApi.update, { as: system, params, body: { name: 'Gus Host' } })
    await app.call(usersApi.update, { as: system, params, body: { role: 'admin' } })
    const permissions = getPermissions({ role: 'admin', isSystemAdmin: false })
    await app.call(usersApi.setPermissions, {
      as: system,
      params,
      body: { ...permissions, canViewAuditLog: true },
    })
    await app.call(usersApi.setSystemAdmin, { as: system, params, body: { isSystemAdmin: true } })
    await app.call(usersApi.endSessions, { as: system, params })
    await app.call(usersApi.remove, { as: system, params })
    const actorId = system.id
    expect(await readNewEntries()).toMatchObject([
      {
        action: 'user.renamed',
        actorId,
        object: gus,
        before: { name: 'Gus Guest' },
        after: { name: 'Gus Host' },
      },
      { action: 'user.role-changed', actorId, before: { role: 'user' }, after: { role: 'admin' } },
      {
        action: 'user.rights-changed',
        actorId,
        before: { canViewAuditLog: false },
        after: { canViewAuditLog: true },
      },
      { action: 'user.system-admin-changed', actorId, after: { isSystemAdmin: true } },
      { action: 'user.sessions-ended', actorId },
      { action: 'user.deleted', actorId, object: gus, before: { email: 'gus@example.org' } },
    ])
    expect(JSON.stringify(await listEntries())).not.toContain(token)
  })

  it('records channel access, two-factor changes and cancelled invitations', async () => {
    const channelId = await createTestChannel(app.deps)
    const user = await createUser(app.deps)
    const body = { userId: user.id }
    const params = { id: channelId }
    await app.call(channelsApi.grant, { as: system, params, body })
    await app.call(channelsApi.grant, { as: system, params, body })
    await app.call(channelsApi.setChannelAdmin, {
      as: system,
      params: { ...params, userId: user.id },
      body: { isAdmin: true },
    })
    await app.call(channelsApi.revoke, { as: system, params, body })
    await app.call(channelsApi.revoke, { as: system, params, body })
    const userParams = { userId: user.id }
    const chosen = { twoFactorExpiryEnabled: true, twoFactorExpiryDays: 7 }
    await app.call(twoFactorApi.override, { as: system, params: userParams, body: chosen })
    await app.call(twoFactorApi.reset, { as: system, params: userParams })
    await app.call(twoFactorApi.forceReverification, { as: system, params: userParams })
    expect(await readNewActions()).toEqual([
      'access.granted',
      'access.admin-changed',
      'access.revoked',
      'two-factor.changed',
      'two-factor.reset',
      'two-factor.forced',
    ])
  })
})

describe('channels, documents, assistants and settings', () => {
  it('records the changed fields, but only a fingerprint of prompts', async () => {
    const input = { name: 'Rules', description: 'Words', systemPrompt: 'A secret prompt', llmModel: 'gpt-4o' }
    const { body: channel } = await app.call(channelsApi.create, { as: system, body: input as never })
    const params = { id: channel._id }
    const changed = { ...input, name: 'Laws', systemPrompt: 'Another secret prompt' }
    await app.call(channelsApi.update, { as: system, params, body: changed as never })
    await app.call(channelsApi.update, { as: system, params, body: changed as never })
    const preset = { assistantId: 'guide', name: 'Guide', instructions: 'A secret too', model: 'gpt-4o' }
    const { body: created } = await app.call(assistantsApi.createPreset, {
      as: system,
      body: preset as never,
    })
    const edited = { ...preset, name: 'Leader' }
    await app.call(assistantsApi.updatePreset, {
      as: system,
      params: { id: created._id },
      body: edited as never,
    })
    await app.call(assistantsApi.removePreset, { as: system, params: { id: created._id } })
    await app.call(assistantsApi.setModelMap, { as: system, body: { map: { '*': 'llama' } } })
    const policy = { twoFactorExpiryDays: 7, twoFactorExpiryEnabled: true }
    await app.call(settingsApi.update, { as: system, body: policy })
    await app.call(settingsApi.update, { as: system, body: policy })
    await app.call(channelsApi.remove, { as: system, params })
    const log = await readNewEntries()
    expect(log.map(({ action }) => action)).toEqual([
      'channel.created',
      'channel.changed',
      'assistant.created',
      'assistant.changed',
      'assistant.deleted',
      'settings.changed',
      'settings.changed',
      'channel.deleted',
    ])
    expect(log[1]).toMatchObject({ before: { name: 'Rules' }, after: { name: 'Laws' } })
    expect(Object.keys(log[1]?.after as object)).toEqual(['name', 'systemPrompt'])
    expect(log[6]).toMatchObject({ before: { twoFactorExpiryDays: 30 }, after: { twoFactorExpiryDays: 7 } })
    expect(JSON.stringify(await listEntries())).not.toContain('secret')
  })

  it('records one entry per document and action, even in bulk', async () => {
    const channelId = await createTestChannel(app.deps)
    function upload(name: string) {
      return app.upload(documentsApi.upload, {
        as: system,
        fields: { channelId },
        file: { name, content: `The secret content of ${name}.` },
      })
    }
    const first = (await upload('one.txt')).body._id
    const second = (await upload('two.txt')).body._id
    const third = (await upload('three.txt')).body._id
    function bulk(action: 'approve' | 'delete', ids: string[]) {
      return app.call(documentsApi.bulk, { as: system, body: { action, ids } })
    }
    await bulk('approve', [first, second, 'none'])
    await app.call(documentsApi.reject, { as: system, params: { id: third } })
    await app.runJobs()
    await app.call(documentsApi.reindex, { as: system, params: { id: first } })
    await app.call(documentsApi.download, { as: system, params: { id: first } })
    const expected = { question: 'What is in one.txt?', expectedDocumentIds: [first] }
    await app.call(testQuestionsApi.add, { as: system, params: { id: channelId }, body: expected })
    await bulk('delete', [first, third])
    await app.call(documentsApi.cleanupOrphaned, { as: system })
    expect((await readNewEntries()).map(({ action, object }) => [action, object])).toEqual([
      ['document.uploaded', first],
      ['document.uploaded', second],
      ['document.uploaded', third],
      ['document.approved', first],
      ['document.approved', second],
      ['access.denied', 'PUT /documents/:id/approve'],
      ['document.rejected', third],
      ['document.reindexed', first],
      ['document.downloaded', first],
      ['test-questions.changed', channelId],
      ['document.deleted', first],
      ['document.deleted', third],
      ['document.orphans-removed', null],
    ])
    expect(JSON.stringify(await listEntries())).not.toMatch(/secret content|What of one/)
  })

  it('records nothing when an action fails', async () => {
    const channelId = await createTestChannel(app.deps)
    const { body } = await app.upload(documentsApi.upload, {
      as: system,
      fields: { channelId },
      file: { name: 'one.txt', content: 'Words.' },
    })
    const params = { id: body._id }
    const responses = await Promise.all([
      app.call(documentsApi.approve, { as: system, params }),
      app.call(documentsApi.reject, { as: system, params }),
    ])
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await readNewActions()).toHaveLength(2)
  })
})

describe('denied requests', () => {
  it('records one entry per user and call, then one with the number of repetitions', async () => {
    // Each server counts repetitions by itself.
    app.useFirstServer()
    const user = await createUser(app.deps)
    for (const id of ['one', 'two', 'three']) await app.call(channelsApi.get, { as: user, params: { id } })
    await app.call(usersApi.list, { as: user })
    await app.call(channelsApi.list, { as: null })
    await vi.waitFor(async () => expect(await listEntries()).toHaveLength(2))
    // Stopping the server flushes the collected denials.
    await app.server.close()
    expect(await readNewEntries()).toMatchObject([
      {
        action: 'access.denied',
        actorId: user.id,
        object: 'GET /channels/:id',
        after: { status: 404, id: 'one' },
      },
      { action: 'access.denied', object: 'GET /users', result: 'denied', after: { status: 403 } },
      { action: 'access.denied', object: 'GET /channels/:id', after: { status: 404, id: 'three', count: 2 } },
    ])
  })
})

describe('the log', () => {
  it('gets every committed entry with its hash, but no names, addresses and values', async () => {
    const lines: string[] = []
    await app.close()
    app = await buildTestApp({ deps: { log: pino({}, { write: (line) => void lines.push(line) }) } })
    const admin = await createAdmin(app.deps, { isSystemAdmin: true, name: 'Grace Hopper' })
    const user = await createUser(app.deps, { name: 'Ada Lovelace' })
    const failing = app.deps.db.transaction().execute(async (tx) => {
      await audit(app.deps, tx, { actor: null, action: 'keys.rotated' })
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    await app.call(usersApi.update, { as: admin, params: { id: user.id }, body: { name: 'Augusta King' } })
    const [entry] = await listEntries()
    const audited = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'audit')
    expect(audited).toEqual([
      expect.objectContaining({
        auditId: entry?.id,
        at: entry?.at,
        userId: admin.id,
        action: 'user.renamed',
        objectId: user.id,
        result: 'ok',
        hash: entry?.hash,
      }),
    ])
    expect(lines.join('')).not.toMatch(/Hopper|Lovelace|Augusta|example\.org/)
  })
})

describe('concurrent actions', () => {
  it('form one unbroken chain', async () => {
    const channelIds = await Promise.all(Array.from({ length: 5 }, () => createTestChannel(app.deps)))
    const users = await Promise.all(Array.from({ length: 4 }, () => createUser(app.deps)))
    // Few enough that none waits too long for a connection to PostgreSQL on a busy machine.
    const colleague = await createAdmin(app.deps, { isSystemAdmin: true })
    const responses = await Promise.all(
      users.flatMap((user, index) => {
        const as = index % 2 === 0 ? system : colleague
        return [
          app.call(channelsApi.grant, {
            as,
            params: { id: channelIds[index % 5] ?? '' },
            body: { userId: user.id },
          }),
          app.call(usersApi.update, {
            as,
            params: { id: user.id },
            body: { name: `Renamed ${index}` },
          }),
          app.call(usersApi.endSessions, { as, params: { id: user.id } }),
          app.call(twoFactorApi.forceReverification, { as, params: { userId: user.id } }),
          app.call(settingsApi.update, {
            as,
            body: { twoFactorExpiryDays: index + 1, twoFactorExpiryEnabled: true },
          }),
        ]
      }),
    )
    expect(responses.map(({ status }) => status).filter((status) => status >= 400)).toEqual([])
    expect(await listEntries()).toHaveLength(20)
    expect(await verifyChain(app.deps.db)).toMatchObject({ entries: 20, fault: null })
    expect((await app.call(auditApi.list, { as: system })).body.total).toBe(20)
  })
})
