import type { Socket } from 'node:net'
import { Writable } from 'node:stream'
import { authApi } from '@lyceum/contract/auth'
import { channelsApi } from '@lyceum/contract/channels'
import { chatsApi } from '@lyceum/contract/chats'
import { documentsApi } from '@lyceum/contract/documents'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildPath } from '#testing/build-path.ts'
import { createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { createRequestHead, openConnection, type RawConnection } from '#testing/raw-connection.ts'
import { openReplyStream } from '#testing/reply-stream.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

const requestsPerUser = 40
const streamsPerUser = 20
const uploadsPerUser = 2

let model: ModelStandIn
let app: TestApp
let url: string
let ada: TestUser
let bob: TestUser
let channelId: string
let connections: RawConnection[]
let errorLines: string[]
const log = pino(
  { level: 'error' },
  new Writable({
    write(line, _encoding, done) {
      errorLines.push(String(line))
      done()
    },
  }),
)

beforeAll(async () => {
  model = await startModelStandIn()
  app = await buildTestApp({ env: { OPENAI_BASE_URL: model.url }, deps: { log } })
  app.useFirstServer()
  url = await app.url()
  channelId = await createTestChannel(app.deps)
})
beforeEach(async () => {
  model.reset()
  connections = []
  errorLines = []
  ada = await createUser(app.deps, { channels: [channelId] })
  bob = await createUser(app.deps, { channels: [channelId] })
})
afterEach(() => {
  for (const connection of connections) connection.close()
})
afterAll(async () => {
  await app.close()
  await model.close()
})

async function send(text: string): Promise<RawConnection> {
  const connection = await openConnection(url)
  connections.push(connection)
  connection.send(text)
  return connection
}

function countConnections(): Promise<number> {
  return new Promise((resolve, reject) =>
    app.server.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
}

/** Resolves when the server has noticed that every client of the test has left. */
async function leave(): Promise<void> {
  for (const connection of connections) connection.close()
  await expect.poll(countConnections).toBe(0)
}

function readChannels(as: TestUser) {
  return app.call(channelsApi.list, { as, query: {} })
}

function authorize({ token }: TestUser): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}

const signIn = buildPath(authApi.login)
const json = { 'content-type': 'application/json' }

function createListRequest(): string {
  return createRequestHead('GET', buildPath(channelsApi.list), authorize(ada))
}

/** Starts a reply of Ada's that goes on until the test ends. Returns the request for its events. */
async function startPausedReply(): Promise<string> {
  model.pause()
  const chat = await app.call(chatsApi.create, { as: ada, params: { channelId }, body: {} })
  const chatId = chat.body._id
  const stream = await openReplyStream(url, chatsApi.send, {
    as: ada,
    params: { channelId, chatId },
    body: { message: 'Hello' },
  })
  const accepted = await stream.readUntil('accepted')
  await stream.disconnect()
  await expect.poll(countConnections).toBe(0)
  const messageId = accepted?.reply._id ?? ''
  const path = buildPath(chatsApi.events, { channelId, chatId, messageId })
  return createRequestHead('GET', path, { ...authorize(ada), accept: 'text/event-stream' })
}

async function waitForStatus(connection: RawConnection): Promise<string> {
  await expect.poll(() => connection.received()).toMatch(/^HTTP\/1\.1 \d{3} /)
  return connection.received().slice(9, 12)
}

describe('a request whose connection closes before the response', () => {
  it('keeps no slot when its body never arrives completely', async () => {
    const head = createRequestHead('POST', signIn, { ...json, 'content-length': '60' })
    for (let request = 0; request <= requestsPerUser; request += 1) await send(`${head}{`)
    await leave()
    const response = await fetch(url + signIn, { method: 'POST', headers: json, body: '{}' })
    expect(response.status).toBe(400)
  })

  it('keeps no slot when it waits behind another request on the same connection', async () => {
    const eventsRequest = await startPausedReply()
    // One more on each connection than needed: the polling below takes slots too.
    const waiting = createListRequest().repeat(requestsPerUser / streamsPerUser + 1)
    for (let stream = 0; stream < streamsPerUser; stream += 1) await send(eventsRequest + waiting)
    await expect.poll(async () => (await readChannels(ada)).status).toBe(429)
    await leave()
    expect((await readChannels(ada)).status).toBe(200)
  })

  it('causes no error when the client has left before it is handled', async () => {
    function leaveAtOnce({ socket }: { socket: Socket }): void {
      socket.destroy()
    }
    app.server.server.prependListener('request', leaveAtOnce)
    const connection = await send(
      `${createRequestHead('POST', signIn, { ...json, 'content-length': '2' })}{}`,
    )
    await connection.whenClosed()
    app.server.server.off('request', leaveAtOnce)
    expect((await readChannels(ada)).status).toBe(200)
    expect(errorLines).toEqual([])
  })
})

describe('a response that is not read', () => {
  it('is ended when the client reads nothing for a minute', async () => {
    const eventsRequest = await startPausedReply()
    let server: Socket | undefined
    app.server.server.once('connection', (socket: Socket) => {
      server = socket
    })
    const connection = await send(eventsRequest)
    connection.socket.pause()
    await expect.poll(() => server?.timeout).toBe(60_000)
    server?.emit('timeout')
    await expect.poll(countConnections).toBe(0)
  })
})

describe('the limits of one user', () => {
  it('refuses another event stream, but not to others and not once one has ended', async () => {
    const eventsRequest = await startPausedReply()
    const streams = []
    for (let stream = 0; stream < streamsPerUser; stream += 1) streams.push(await send(eventsRequest))
    for (const stream of streams) expect(await waitForStatus(stream)).toBe('200')
    const refused = await send(eventsRequest)
    expect(await waitForStatus(refused)).toBe('429')
    expect(refused.received()).toMatch(/\r\nretry-after: 5\r\n/)
    const message = await app.call(chatsApi.create, { as: bob, params: { channelId }, body: {} })
    const params = { channelId, chatId: message.body._id }
    model.resume()
    expect((await app.call(chatsApi.send, { as: bob, params, body: { message: 'Hello' } })).status).toBe(200)
    model.pause()
    streams[0]?.close()
    await expect.poll(async () => waitForStatus(await send(eventsRequest))).toBe('200')
  })

  it('counts files apart, so that slow downloads leave room for other requests', async () => {
    const eventsRequest = await startPausedReply()
    const path = buildPath(channelsApi.wallpaper, { id: channelId })
    const files = createRequestHead('GET', path, authorize(ada)).repeat(10)
    await expect
      .poll(async () => {
        // They wait behind the events, like a download that is read slowly.
        await send(eventsRequest + files)
        return (await app.call(channelsApi.wallpaper, { as: ada, params: { id: channelId } })).status
      })
      .toBe(429)
    expect((await readChannels(ada)).status).toBe(200)
  })

  it('refuses a third upload before reading it, until another one has ended', async () => {
    const head = createRequestHead('POST', buildPath(documentsApi.propose, { id: channelId }), {
      ...authorize(ada),
      'content-type': 'multipart/form-data; boundary=edge',
      'content-length': '1000',
    })
    for (let upload = 0; upload <= uploadsPerUser; upload += 1) await send(head)
    await expect
      .poll(() => connections.map((upload) => upload.received()).join(''))
      .toMatch(/^HTTP\/1\.1 429 /)
    await leave()
    const form = new FormData()
    form.append('file', new Blob(['words']), 'notes.txt')
    const path = url + buildPath(documentsApi.propose, { id: channelId })
    const response = await fetch(path, { method: 'POST', headers: authorize(ada), body: form })
    expect(response.status).toBe(403)
  })

  it('logs no error for a refusal', async () => {
    const eventsRequest = await startPausedReply()
    for (let stream = 0; stream < streamsPerUser; stream += 1) await send(eventsRequest)
    await expect.poll(async () => waitForStatus(await send(eventsRequest))).toBe('429')
    expect(errorLines).toEqual([])
  })
})
