import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSecurityHeadersHook } from './headers.ts'
import { serveWeb } from './web.ts'

let folder: string
let app: FastifyInstance
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-web-'))
  for (const name of ['index.html', 'embedded-chat.html', 'embedded-chat.html.br', 'not-embedded-chat.html'])
    await writeFile(join(folder, name), name)
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'assets/chunk.js'), '')
  app = Fastify()
  app.addHook('onRequest', createSecurityHeadersHook(false))
  await serveWeb(app, folder)
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

async function request(path: string, encoding = 'identity') {
  const { headers, statusCode } = await app.inject({ url: path, headers: { 'accept-encoding': encoding } })
  return { statusCode, policy: String(headers['content-security-policy']), frame: headers['x-frame-options'] }
}

describe('serveWeb', () => {
  it.each(['/assets', '/assets/', '/assets/../../package.json', '/.git/config'])(
    'lists no folder and serves no file outside it: %s',
    async (path) => {
      const { statusCode, payload } = await app.inject({ url: path })
      expect(statusCode).toBe(404)
      expect(payload).not.toContain('chunk.js')
    },
  )

  it.each(['/', '/not-embedded-chat.html'])('forbids framing %s', async (path) => {
    const { statusCode, policy, frame } = await request(path)
    expect([statusCode, frame]).toEqual([200, 'DENY'])
    expect(policy).toContain("frame-ancestors 'none'")
  })

  it.each(['identity', 'br'])(
    'allows pages of the same origin to frame the embedded chat (%s)',
    async (encoding) => {
      const { statusCode, policy, frame } = await request('/embedded-chat.html', encoding)
      expect([statusCode, frame]).toEqual([200, 'SAMEORIGIN'])
      expect(policy).toContain("frame-ancestors 'self'")
      expect(policy).toContain("default-src 'none'")
    },
  )
})
