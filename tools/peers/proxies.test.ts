import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect as connectHttp2 } from 'node:http2'
import { type RequestOptions, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { connect as connectTls, getCACertificates } from 'node:tls'
import { authApi } from '@lyceum/contract/auth'
import { chatsApi } from '@lyceum/contract/chats'
import { documentsApi } from '@lyceum/contract/documents'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { setUpChannel, signInAsOwner } from '../../server/src/testing/acknowledged-load.ts'
import { createHttpClient, type HttpClient } from '../../server/src/testing/http-client.ts'
import { type ModelStandIn, startModelStandIn } from '../../server/src/testing/model-stand-in.ts'
import { openReplyStream } from '../../server/src/testing/reply-stream.ts'
import { findFreePort, type SpawnedServer, spawnServer } from '../../server/src/testing/spawn-server.ts'
import { createTrustedCertificate } from './certificate.ts'
import { type ReverseProxy, startCaddy, startNginx } from './proxies.ts'

const megabyte = 1024 * 1024
const owner = { email: 'owner@example.org', password: 'a sound password' }
const json = { 'content-type': 'application/json' }

describe.each([
  ['nginx', startNginx],
  ['Caddy', startCaddy],
])('%s with the example configuration', (_, startProxy) => {
  let folder: string
  let serverPort: string
  let server: SpawnedServer
  let model: ModelStandIn
  let proxy: ReverseProxy
  let client: HttpClient & { token: string }
  let channelId: string

  function startServer(): Promise<SpawnedServer> {
    return spawnServer({
      PORT: serverPort,
      DATA_DIR: join(folder, 'data'),
      PUBLIC_URL: proxy.https,
      TRUSTED_PROXIES: '127.0.0.1',
      RATE_LIMIT_SCALE: '1',
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'a-key',
      EMBEDDING_MODEL: 'none',
    })
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lyceum-proxy-'))
    serverPort = String(await findFreePort())
    model = await startModelStandIn({ behavior: { text: 'One two three four five six seven.' } })
    proxy = await startProxy({ folder, certificate: createTrustedCertificate(folder), serverPort })
    server = await startServer()
    // On a busy machine, the server refuses expensive calls with 503 right after its start.
    const signIn = { method: 'POST', headers: json, body: '{}' }
    await vi.waitUntil(
      async () => (await fetch(`${server.url}/api/auth/login`, signIn)).status === 400,
      60_000,
    )
    channelId = await setUpChannel(server)
    client = await signInAsOwner(proxy.https)
  }, 600_000)
  afterAll(async () => {
    await proxy?.stop()
    await server?.kill()
    await model?.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** Sends a request over a new connection, from any address of the loopback network. */
  async function send(path: string, options: RequestOptions = {}, body = '') {
    const sent = request(proxy.https + path, { agent: false, ca: getCACertificates('default'), ...options })
    sent.end(body)
    const [response] = await once(sent, 'response')
    return {
      status: response.statusCode as number,
      headers: response.headers as Record<string, string>,
      names: (response.rawHeaders as string[])
        .filter((__, at) => at % 2 === 0)
        .map((name) => name.toLowerCase()),
      text: await readText(response),
    }
  }
  async function upload(bytes: number, headers: Record<string, string> = {}): Promise<Response> {
    const content = Buffer.alloc(bytes, '% Nothing to read.\n')
    content.write('%PDF-1.7\n')
    return client.upload(documentsApi.upload, { channelId }, { name: 'rules.pdf', content }, headers)
  }

  it.each(['GET', 'POST'])('refuses a %s call over http instead of redirecting it', async (method) => {
    const headers = { authorization: `Bearer ${client.token}` }
    const response = await fetch(`${proxy.http}/api/auth/me`, { method, headers, redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([403, null])
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toEqual({
      code: 'permission.denied',
      message: 'Send API calls over https only.',
    })
  })

  it('redirects pages from http to https', async () => {
    const response = await fetch(`${proxy.http}/login?next=a`, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([
      301,
      'https://localhost/login?next=a',
    ])
  })

  it.each(['/login', '/api/auth/me'])('sends each header of %s once', async (path) => {
    const { headers, names } = await send(path)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
    expect(headers['strict-transport-security']).toMatch(/^max-age=31536000/)
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['server'] ?? '').not.toMatch(/\d/)
  })

  it('refuses versions of TLS before 1.2', async () => {
    const options = { port: Number(new URL(proxy.https).port), servername: 'localhost' }
    const old = connectTls({
      ...options,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'ALL@SECLEVEL=0',
    })
    await expect(once(old, 'secureConnect')).rejects.toThrow(/alert|protocol/i)
  })

  it('does not open a WebSocket', async () => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    }
    expect((await send('/api/auth/me', { headers })).status).toBe(401)
  })

  it('keeps the cookies of a sign-in secure', async () => {
    const { status, headers } = await send(
      '/api/auth/login',
      { method: 'POST', headers: json },
      JSON.stringify(owner),
    )
    expect(status).toBe(200)
    for (const cookie of headers['set-cookie'] ?? []) expect(cookie).toMatch(/^__Host-.*; Secure/)
    expect(headers['set-cookie']).toHaveLength(1)
  })

  it('tells the server the address of the client, whatever the client claims', async () => {
    const { text } = await send(
      '/api/auth/login',
      {
        method: 'POST',
        headers: { ...json, 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' },
        localAddress: '127.0.0.2',
      },
      JSON.stringify(owner),
    )
    const { token } = JSON.parse(text) as { token: string }
    const sessions = await createHttpClient(proxy.https, token).call(authApi.sessions, {})
    expect(sessions.find(({ current }) => current)?.ip).toBe('127.0.0.2')
  })

  it('lets the server limit each client by its own address', async () => {
    function forget(localAddress: string) {
      const body = JSON.stringify({ email: 'nobody@example.org' })
      return send('/api/auth/forgot-password', { method: 'POST', headers: json, localAddress }, body)
    }
    const statuses = []
    for (let at = 0; at < 11; at += 1) statuses.push((await forget('127.0.0.3')).status)
    expect(statuses.at(-1)).toBe(429)
    expect((await forget('127.0.0.4')).status).toBe(200)
  })

  describe('a reply', () => {
    async function createMessage() {
      const { _id: chatId } = await client.call(chatsApi.create, { params: { channelId }, body: {} })
      return { params: { channelId, chatId }, body: { message: 'Count to seven.' } }
    }

    it('arrives over HTTP/1.1 as it is written', async () => {
      model.pause(2)
      const message = await createMessage()
      const as = { id: '', email: '', name: '', token: client.token }
      const stream = await openReplyStream(proxy.https, chatsApi.send, { ...message, as })
      expect((await stream.readUntil('delta'))?.type).toBe('delta')
      await model.whenPaused()
      model.resume()
      expect((await stream.readToEnd()).at(-1)?.type).toBe('done')
    })

    it('arrives over HTTP/2 as it is written', async () => {
      model.pause(2)
      const { params, body } = await createMessage()
      const connection = connectHttp2(proxy.https, { ca: getCACertificates('default') })
      const stream = connection.request({
        ':method': 'POST',
        ':path': `/api/chat/${params.channelId}/chats/${params.chatId}/messages`,
        ...json,
        accept: 'text/event-stream',
        authorization: `Bearer ${client.token}`,
      })
      stream.end(JSON.stringify(body))
      let received = ''
      stream.setEncoding('utf8').on('data', (part: string) => {
        received += part
      })
      await expect.poll(() => received).toContain('"type":"delta"')
      await model.whenPaused()
      expect(received).not.toContain('"type":"done"')
      model.resume()
      await once(stream, 'end')
      expect(received).toContain('"type":"done"')
      connection.close()
    })
  })

  describe('an upload', () => {
    it('of the maximum size is accepted', async () => {
      expect((await upload(20 * megabyte)).status).toBe(200)
    })

    it.each([
      ['the server', 21, 'document.too_large'],
      // Caddy lets the server refuse it first, by its announced length.
      ['the proxy', 30, expect.stringMatching(/^(request|document)\.too_large$/)],
    ])('that is too large for %s is refused with a code', async (__, megabytes, code) => {
      const response = await upload(megabytes * megabyte)
      expect([response.status, response.headers.get('content-type')]).toEqual([
        413,
        expect.stringMatching(/^application\/json/),
      ])
      expect(await response.json()).toMatchObject({ code })
    })

    it('of a stranger is refused with a code', async () => {
      const response = await upload(20 * megabyte, { authorization: 'Bearer none' })
      expect([response.status, await response.json()]).toMatchObject([401, { code: 'auth.session_ended' }])
    })
  })

  it('lets the server end a body that arrives too slowly', async () => {
    const connection = connectHttp2(proxy.https, { ca: getCACertificates('default') })
    const stream = connection.request({ ':method': 'POST', ':path': '/api/auth/login', ...json })
    stream.write('{"email":')
    const [headers] = await once(stream, 'response')
    expect(headers[':status']).toBe(408)
    connection.destroy()
  })

  it('says that the server is restarting, and when to try again', async () => {
    await server.stop()
    const call = await send('/api/auth/me')
    expect([call.status, call.headers['retry-after'], call.headers['content-type']]).toEqual([
      503,
      '2',
      'application/json',
    ])
    expect(JSON.parse(call.text)).toMatchObject({ code: 'server.busy' })
    const page = await send('/login')
    expect([page.status, page.headers['retry-after'], page.headers['content-type']]).toEqual([
      503,
      '2',
      'text/html; charset=utf-8',
    ])
    server = await startServer()
    await expect.poll(async () => (await send('/readyz')).status).toBe(200)
  })
})
