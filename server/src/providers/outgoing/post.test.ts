import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findFreePort } from '#testing/spawn-server.ts'
import { createAuthority, type TestAuthority } from '#testing/test-certificates.ts'
import { DeliveryFailed } from './delivery-failure.ts'
import { post } from './post.ts'

let authority: TestAuthority
const closers: (() => Promise<unknown>)[] = []
beforeAll(() => {
  authority = createAuthority()
})
afterAll(() => authority.close())
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function listen(handle: RequestListener, pair?: { cert: string; key: string }): Promise<string> {
  const server = pair ? createHttpsServer(pair, handle) : createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return `${pair ? 'https' : 'http'}://localhost:${port}/events`
}

function send(url: string, changes: Partial<Parameters<typeof post>[0]> = {}): Promise<number> {
  return post({ url, headers: {}, body: '[]', signal: new AbortController().signal, ...changes })
}

async function failureOf(sent: Promise<unknown>): Promise<DeliveryFailed> {
  const error: unknown = await sent.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof DeliveryFailed) return error
  throw new Error(`expected a DeliveryFailed, got ${String(error)}`)
}

describe('post refuses', () => {
  it.each([
    [401, 'refused the credentials (401)'],
    [404, 'has nothing at this address (404)'],
    [413, 'does not accept requests of this size (413)'],
    [500, 'answered with an error (500)'],
    [400, 'refused the request (400)'],
  ])('a response with status %i', async (status, words) => {
    const url = await listen((_request, response) => response.writeHead(status).end())
    const failure = await failureOf(send(url))
    expect(failure.message).toContain(words)
    expect(failure.status).toBe(status)
  })

  it('a redirect, which it does not follow', async () => {
    const requests: string[] = []
    const url = await listen((request, response) => {
      requests.push(request.url ?? '')
      response.writeHead(307, { location: '/elsewhere' }).end()
    })
    expect((await failureOf(send(url))).message).toContain('redirects to another address (307)')
    expect(requests).toEqual(['/events'])
  })

  it('a certificate that no known authority has issued, or for another name', async () => {
    let requests = 0
    function count(_request: IncomingMessage, response: { end: () => void }): void {
      requests += 1
      response.end()
    }
    const url = await listen(count, authority.issue('DNS:localhost'))
    expect((await failureOf(send(url))).message).toContain('is not trusted')
    const other = await listen(count, authority.issue('DNS:other.example.org'))
    expect((await failureOf(send(other, { caCertificate: authority.ca }))).message).toContain(
      'is for another name',
    )
    expect(requests).toBe(0)
  })

  it('a response that ends midway', async () => {
    const url = await listen((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('half', () => response.destroy())
    })
    expect((await failureOf(send(url))).message).toContain('closed the connection')
  })

  it('a port at which nothing listens, and addresses at which clouds serve credentials', async () => {
    const port = await findFreePort()
    expect((await failureOf(send(`http://localhost:${port}/`))).message).toContain(
      'Nothing accepts connections',
    )
    expect((await failureOf(send('https://169.254.169.254/'))).message).toContain('link-local')
  })
})

describe('post', () => {
  it('passes on how long the server asks to be left alone, up to an hour', async () => {
    let header = '30'
    const url = await listen((_request, response) => response.writeHead(429, { 'retry-after': header }).end())
    expect((await failureOf(send(url))).retryAfter).toBe(30_000)
    header = '999999'
    expect((await failureOf(send(url))).retryAfter).toBe(3_600_000)
    header = 'soon'
    expect((await failureOf(send(url))).retryAfter).toBeNull()
  })

  it('stops waiting for a server that never answers, when the caller stops', async () => {
    const stop = new AbortController()
    const url = await listen(() => stop.abort())
    await failureOf(send(url, { signal: stop.signal }))
  })

  it('sends the body and headers to a server with a certificate of the given authority', async () => {
    const received: { body: string; authorization: string | undefined }[] = []
    const url = await listen((request, response) => {
      void text(request).then((body) => {
        received.push({ body, authorization: request.headers.authorization })
        response.end('ok')
      })
    }, authority.issue('DNS:localhost'))
    const headers = { authorization: 'Splunk secret' }
    expect(await send(url, { headers, body: '["é"]', caCertificate: authority.ca })).toBe(200)
    expect(received).toEqual([{ body: '["é"]', authorization: 'Splunk secret' }])
  })

  it('reads no more than a small part of the response', async () => {
    const url = await listen((_request, response) => {
      response.write('x'.repeat(10_000_000))
    })
    expect(await send(url)).toBe(200)
  })
})
