import { authApi } from '@lyceum/contract/auth'
import { chatsApi } from '@lyceum/contract/chats'
import { connectionsApi } from '@lyceum/contract/connections'
import { documentsApi } from '@lyceum/contract/documents'
import { invitationsApi } from '@lyceum/contract/invitations'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, testPassword } from '#testing/factories.ts'
import { readCode, readLinkToken, readOutbox, startMailServer } from '#testing/mail-server.ts'
import { startModelStandIn } from '#testing/model-stand-in.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { createTestBrowser } from '#testing/test-browser.ts'

const lines: string[] = []
/** Every value that must not be logged, by what it is. */
const secrets = new Map<string, string>()
let app: TestApp

/** Uses what handles secrets, each of them with values that are recognizable in the log. */
beforeAll(async () => {
  const log = pino({ level: 'debug' }, { write: (line) => void lines.push(line) })
  app = await buildTestApp({ deps: { log } })
  const channelId = await createTestChannel(app.deps)
  const admin = await createAdmin(app.deps, { isSystemAdmin: true, channels: [channelId] })
  const user = await createUser(app.deps, { channels: [channelId], email: 'ada.canary@example.org' })
  secrets.set('session token', user.token).set('address', user.email)
  await signInWithCode(user.email)
  await usePasswordLink(user.email)
  await invite(admin)
  await chat(channelId, admin)
  await app.runJobs()
  await connect(admin)
})
afterAll(() => app.close())

async function signInWithCode(email: string): Promise<void> {
  await app.deps.db.updateTable('users').set({ two_factor_enabled: 1 }).where('email', '=', email).execute()
  const browser = createTestBrowser('agent')
  secrets.set('password', testPassword).set('wrong password', 'wrong-password-canary')
  await app.call(authApi.login, { body: { email, password: 'wrong-password-canary' }, browser })
  await app.call(authApi.login, { body: { email, password: testPassword }, browser })
  const code = readCode((await readOutbox(app.folder)).at(-1) as never)
  secrets.set('one-time code', code)
  for (const [name, value] of browser.cookies) secrets.set(`cookie ${name}`, value)
  const { body } = await app.call(authApi.verify, { body: { email, token: code }, browser })
  secrets.set('token after the code', body.token)
  for (const [name, value] of browser.cookies) secrets.set(`cookie ${name}`, value)
}

async function usePasswordLink(email: string): Promise<void> {
  await app.call(authApi.forgotPassword, { body: { email } })
  await app.runJobs()
  const token = readLinkToken((await readOutbox(app.folder)).at(-1) as never)
  secrets.set('reset token', token).set('new password', 'new-password-canary')
  await app.call(authApi.resetPassword, { body: { token, newPassword: 'new-password-canary' } })
}

async function invite(admin: Awaited<ReturnType<typeof createAdmin>>): Promise<void> {
  const { body } = await app.call(invitationsApi.create, {
    as: admin,
    body: {
      email: 'guest.canary@example.org',
      fullName: 'Guest Canary',
      allowedChannels: [],
      twoFactorExpiryDays: 30,
      twoFactorExpiryEnabled: false,
    },
  })
  const token = /token=([\w-]{43})/.exec(body.link ?? '')?.[1] ?? ''
  secrets.set('invitation token', token)
  await app.call(invitationsApi.verify, { params: { token } })
}

async function chat(channelId: string, admin: Awaited<ReturnType<typeof createAdmin>>): Promise<void> {
  secrets.set('message', 'message-canary').set('document', 'document-canary')
  const created = await app.call(chatsApi.create, { as: admin, params: { channelId }, body: {} })
  await app.call(chatsApi.send, {
    as: admin,
    params: { channelId, chatId: created.body._id },
    body: { message: 'What does message-canary mean?' },
  })
  const file = { name: 'notes.txt', content: 'document-canary is a word in this document.' }
  const uploaded = await app.upload(documentsApi.upload, {
    as: admin,
    file,
    fields: { channelId, title: 'Notes' },
  })
  await app.call(documentsApi.approve, { as: admin, params: { id: uploaded.body._id } })
}

/** Uses a model endpoint and a mail server that refuse the key and the password, and repeat the key. */
async function connect(as: Awaited<ReturnType<typeof createAdmin>>): Promise<void> {
  const password = 'mail-password-canary'
  const apiKey = 'model-key-canary'
  secrets.set('mail password', password).set('model key', apiKey)
  const server = await startMailServer({ password: 'another password' })
  const model = await startModelStandIn()
  model.always({ fault: { kind: 'status', status: 401, message: `Incorrect key ${apiKey}` } })
  const { hostname: host, port } = new URL(server.url)
  const from = 'lyceum.canary@example.org'
  const mail = {
    host,
    port: Number(port),
    encryption: 'optional',
    username: 'mailer',
    password,
    from,
  } as const
  const endpoint = { baseUrl: model.url, apiKey, model: 'local', embeddingModel: '' }
  await app.call(connectionsApi.testMail, { as, body: mail })
  await app.call(connectionsApi.setMail, { as, body: mail })
  await app.call(connectionsApi.testModel, { as, body: endpoint })
  await app.call(connectionsApi.setModel, { as, body: endpoint })
  await app.call(authApi.forgotPassword, { body: { email: as.email } })
  await app.runJobs()
  await server.close()
  await model.close()
}

describe('the log', () => {
  it('contains one JSON object per line, each with a time', () => {
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ time: expect.any(Number) })
    expect(lines.filter((line) => line.trim().includes('\n'))).toEqual([])
  })

  it('contains no password, code, token, cookie, address, message or document', () => {
    expect([...secrets].filter(([, value]) => value.length < 6)).toEqual([])
    const log = lines.join('')
    expect(log).toContain('"msg":"request"')
    expect([...secrets].filter(([, value]) => log.includes(value)).map(([name]) => name)).toEqual([])
  })

  it('keeps a line break in a request from starting a line of its own', async () => {
    const before = lines.length
    await app.raw({
      method: 'GET',
      path: '/api/users/x%0A%7B%22level%22%3A60%7D',
      headers: { 'user-agent': 'a' },
    })
    const added = lines.slice(before).join('')
    expect(added.trim().split('\n')).toHaveLength(lines.length - before)
    expect(added).not.toContain('"level":60')
  })
})
