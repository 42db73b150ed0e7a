import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { authApi } from '@lyceum/contract/auth'
import { documentsApi } from '@lyceum/contract/documents'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildPath } from '#testing/build-path.ts'
import { createAdmin, createTestChannel, type TestUser } from '#testing/factories.ts'
import { createRequestHead, openConnection, type RawConnection } from '#testing/raw-connection.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

const maxOpenPerNetwork = 50
const json = { 'content-type': 'application/json', 'content-length': '60' }
const login = buildPath(authApi.login)

let app: TestApp
let url: string
let connections: RawConnection[]
beforeEach(async () => {
  // This machine may name the client in `X-Forwarded-For`, so that a test can come from several addresses.
  app = await buildTestApp({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
  app.useFirstServer()
  url = await app.url()
  connections = []
})
afterEach(async () => {
  vi.useRealTimers()
  for (const connection of connections) connection.close()
  await app.close()
})

async function begin(head: string, part = ''): Promise<RawConnection> {
  const connection = await openConnection(url)
  connections.push(connection)
  connection.send(head + part)
  return connection
}

function beginSignIn(address: string): Promise<RawConnection> {
  return begin(createRequestHead('POST', login, { ...json, 'x-forwarded-for': address }), '{')
}

async function waitForStatus(connection: RawConnection): Promise<string> {
  await expect.poll(() => connection.received()).toMatch(/^HTTP\/1\.1 \d{3} /)
  return connection.received().slice(9, 12)
}

function countConnections(): Promise<number> {
  return new Promise((resolve, reject) =>
    app.server.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
}

describe('a request that is refused whatever its body says', () => {
  it.each([
    ['an unknown path', 'POST', '/api/nope', '404'],
    ['an unknown path outside the API', 'POST', '/nope', '404'],
    ['a wrong method', 'PUT', login, '405'],
    ['a missing session', 'POST', buildPath(documentsApi.upload), '401'],
  ])('is answered before its body has arrived: %s', async (_case, method, path, status) => {
    const connection = await begin(createRequestHead(method, path, json))
    expect(await waitForStatus(connection)).toBe(status)
  })

  it('closes the connection when the rest of the body does not follow', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const connection = await begin(createRequestHead('POST', '/api/nope', json), '{')
    await vi.waitFor(() => expect(connection.received()).toMatch(/^HTTP/))
    vi.advanceTimersByTime(5_000)
    await connection.whenClosed()
  })
})

describe('open bodies', () => {
  it('are limited for each network, and only for it', async () => {
    const open = await Promise.all(
      Array.from({ length: maxOpenPerNetwork }, () => beginSignIn('203.0.113.7')),
    )
    await expect.poll(countConnections).toBe(maxOpenPerNetwork)
    const refused = await beginSignIn('203.0.113.7')
    expect(await refused.whenClosed()).toMatch(/^HTTP\/1\.1 429 .*\r\nretry-after: \d/is)
    const other = await beginSignIn('203.0.113.8')
    other.send('}'.padEnd(59))
    expect(await waitForStatus(other)).toBe('400')
    open[0]?.close()
    await expect
      .poll(async () => {
        const next = await beginSignIn('203.0.113.7')
        next.send('}'.padEnd(59))
        return waitForStatus(next)
      })
      .toBe('400')
  })

  it('take no slot, so that other requests are served', async () => {
    const networks = Array.from({ length: 5 }, (_, network) => `203.0.113.${network}`)
    for (const address of networks)
      await Promise.all(Array.from({ length: maxOpenPerNetwork }, () => beginSignIn(address)))
    await expect.poll(countConnections).toBe(networks.length * maxOpenPerNetwork)
    const response = await fetch(url + login, { method: 'POST', headers: json, body: '{}'.padEnd(60) })
    expect(response.status).toBe(400)
  })
})

describe('a body that arrives slowly', () => {
  let admin: TestUser
  let channelId: string
  beforeEach(async () => {
    admin = await createAdmin(app.deps)
    channelId = await createTestChannel(app.deps)
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  })

  const contentLength = 1_000_000
  function beginUpload(): Promise<RawConnection> {
    const part = [
      '--edge\r\nContent-Disposition: form-data; name="channelId"',
      `${channelId}\r\n--edge\r\nContent-Disposition: form-data; name="file"; filename="notes.txt"`,
      '',
    ].join('\r\n\r\n')
    const head = createRequestHead('POST', buildPath(documentsApi.upload), {
      authorization: `Bearer ${admin.token}`,
      'content-type': 'multipart/form-data; boundary=edge',
      'content-length': String(contentLength),
    })
    return begin(head, part)
  }

  /** Waits until the server has stored this many bytes of the upload. */
  async function waitUntilStored(bytes: number): Promise<void> {
    const spool = join(app.folder, 'spool')
    await expect
      .poll(async () => {
        const [name] = await readdir(spool).catch(() => [])
        return name === undefined ? -1 : (await stat(join(spool, name))).size
      })
      .toBeGreaterThanOrEqual(bytes)
  }

  it('is ended with 408 unless it is complete after ten seconds', async () => {
    const connection = await beginSignIn('203.0.113.7')
    await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0)
    vi.advanceTimersByTime(10_000)
    expect(await connection.whenClosed()).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('is ended when an upload brings less than 10 KiB a second', async () => {
    const connection = await beginUpload()
    connection.send('words '.repeat(100))
    await waitUntilStored(0)
    for (const stored of [120_000, 240_000]) {
      connection.send('words '.repeat(20_100))
      await waitUntilStored(stored)
      vi.advanceTimersByTime(10_000)
    }
    vi.advanceTimersByTime(10_000)
    expect(await connection.whenClosed()).toMatch(/^HTTP\/1\.1 408 /)
    await expect.poll(() => readdir(join(app.folder, 'spool'))).toEqual([])
  })
})
