import type { RequestListener } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { type RangeServer, respondWith, sha1, startRangeServer } from '#testing/range-server.ts'
import { createRangeLookup } from './range-lookup.ts'

const password = 'twelve purple elephants'
const prefix = sha1(password).slice(0, 5)

let server: RangeServer | undefined
afterEach(() => server?.close())

/** Starts a server with the given behavior and looks the password up there. */
async function lookUp(respond: RequestListener, timeoutMs?: number) {
  server = await startRangeServer(respond)
  const warnings: unknown[] = []
  const log = { warn: (...args: unknown[]) => void warnings.push(args) }
  const isBreached = await createRangeLookup(server.url, log, timeoutMs).has(password)
  return { isBreached, warnings: JSON.stringify(warnings) }
}

describe('createRangeLookup', () => {
  it.each<[string, RequestListener, number?]>([
    ['answers 503', (_request, response) => response.writeHead(503).end()],
    ['closes the connection', (request) => request.socket.destroy()],
    ['does not answer', () => undefined, 50],
    ['redirects', (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end()],
    ['sends an endless list', (_request, response) => response.end('A'.repeat(2 * 1024 * 1024))],
  ])('accepts the password and warns if the server %s', async (_what, respond, timeoutMs) => {
    const { isBreached, warnings } = await lookUp(respond, timeoutMs)
    expect(isBreached).toBe(false)
    expect(warnings).toContain('breached passwords could not be checked')
    expect(warnings).not.toContain(prefix)
    expect(server?.paths).toEqual([`/range/${prefix}`])
  })

  it('finds a listed password and sends only five characters of its hash', async () => {
    const { isBreached } = await lookUp(respondWith({ [sha1(password)]: 12 }))
    expect(isBreached).toBe(true)
    expect(server?.paths).toEqual([`/range/${prefix}`])
  })

  it('ignores other hashes, and entries that only pad the list', async () => {
    const { isBreached, warnings } = await lookUp(respondWith({ [sha1(password)]: 0 }))
    expect(isBreached).toBe(false)
    expect(warnings).toBe('[]')
  })
})
