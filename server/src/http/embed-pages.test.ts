import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { channelsApi } from '@lyceum/contract/channels'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { embedChannel, testSite } from '#testing/embedding.ts'
import { createAdmin, createTestChannel } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { buildApp } from '../app.ts'

const otherSite = 'http://localhost:3000'

let app: TestApp
let server: FastifyInstance
let url: string
let webFolder: string
let embedded: string
beforeAll(async () => {
  app = await buildTestApp()
  webFolder = join(app.folder, 'web')
  for (const folder of ['.vite', 'pages']) await mkdir(join(webFolder, folder), { recursive: true })
  const files = [
    'index.html',
    'embed.html',
    'embedded-chat.html',
    'embed.js',
    'theme.js',
    'pages/sign-in.html',
  ]
  for (const name of files) await writeFile(join(webFolder, name), `the file ${name}`)
  await writeFile(join(webFolder, 'embed.html.gz'), gzipSync('the compressed frame'))
  await writeFile(join(webFolder, 'embed.js.gz'), gzipSync('the compressed script'))
  const pages = [{ path: '/embed/:channelId/sign-in', file: 'pages/sign-in.html' }]
  await writeFile(join(webFolder, '.vite/pages.json'), JSON.stringify(pages))
  ;({ server } = await buildApp(app.deps, { webFolder, stopping: new AbortController().signal }))
  url = await server.listen({ port: 0, host: '127.0.0.1' })
  embedded = await createTestChannel(app.deps)
  await embedChannel(app, embedded, { sites: [testSite, otherSite] })
})
afterAll(async () => {
  await server?.close()
  await app?.close()
})

async function get(path: string, { method = 'GET', headers = {} } = {}) {
  const response = await fetch(url + path, { method, headers: { 'accept-encoding': 'identity', ...headers } })
  return {
    status: response.status,
    text: await response.text(),
    ancestors: /frame-ancestors ([^;]*)/.exec(response.headers.get('content-security-policy') ?? '')?.[1],
    frameOptions: response.headers.get('x-frame-options'),
    opener: response.headers.get('cross-origin-opener-policy'),
    resource: response.headers.get('cross-origin-resource-policy'),
    headers: response.headers,
  }
}

const unframed = { ancestors: "'none'", frameOptions: 'DENY' }
const framed = { ancestors: `${testSite} ${otherSite}`, frameOptions: null }

describe('GET /embed/:channelId', () => {
  it('is not found, and in no frame, for a channel that does not exist, is not embedded or is archived', async () => {
    const as = await createAdmin(app.deps)
    const [plain, former, archived] = await Promise.all(
      ['Plain', 'Former', 'Archived'].map((name) => createTestChannel(app.deps, { name })),
    )
    for (const id of [former, archived]) await embedChannel(app, id ?? '')
    await embedChannel(app, former ?? '', { sites: [] })
    await app.call(channelsApi.archive, { as, params: { id: archived ?? '' }, body: { isArchived: true } })
    for (const id of ['unknown', plain, former, archived])
      expect(await get(`/embed/${id}?site=${testSite}`)).toMatchObject({ status: 404, ...unframed })
  })

  it.each(['%00', '%F0%9F%98%80', "'%20or%201=1", 'x'.repeat(65), '..%2f..%2fetc%2fpasswd'])(
    'refuses the id %s',
    async (id) => {
      const response = await get(`/embed/${id}`)
      expect(response).toMatchObject(unframed)
      expect([400, 404]).toContain(response.status)
    },
  )

  it.each(['GET', 'HEAD'])(
    'may be framed by the sites of the channel, and by no others (%s)',
    async (method) => {
      const response = await get(`/embed/${embedded}?site=https://evil.example`, { method })
      expect(response).toMatchObject({
        ...{ status: 200, ...framed, opener: 'same-origin', resource: 'same-origin' },
        text: method === 'HEAD' ? '' : 'the file embed.html',
      })
      expect(response.headers.get('cache-control')).toBe('no-cache')
      const policy = response.headers.get('content-security-policy')
      const other = (await get('/')).headers.get('content-security-policy')
      expect(policy).toBe(other?.replace("frame-ancestors 'none'", `frame-ancestors ${framed.ancestors}`))
    },
  )

  it('is sent compressed to browsers that accept it', async () => {
    const response = await get(`/embed/${embedded}`, { headers: { 'accept-encoding': 'gzip' } })
    expect(response).toMatchObject({ status: 200, text: 'the compressed frame', ...framed })
  })

  it('names the sites as they are now when the browser asks whether the page has changed', async () => {
    const channelId = await createTestChannel(app.deps)
    await embedChannel(app, channelId)
    const etag = (await get(`/embed/${channelId}`)).headers.get('etag') ?? ''
    await embedChannel(app, channelId, { sites: [otherSite] })
    // Not with `fetch`, which asks caches for a new response.
    const { statusCode, headers } = await server.inject({
      url: `/embed/${channelId}`,
      headers: { 'if-none-match': etag },
    })
    expect([statusCode, headers['x-frame-options']]).toEqual([304, undefined])
    expect(headers['content-security-policy']).toContain(`frame-ancestors ${otherSite}`)
  })

  it('is limited for each network', async () => {
    const limited = await buildTestApp({ env: { RATE_LIMIT_SCALE: '0.01' }, stopsClock: true })
    const { server: limitedServer } = await buildApp(limited.deps, {
      webFolder,
      stopping: new AbortController().signal,
    })
    try {
      const statuses = []
      for (let count = 0; count < 4; count += 1)
        statuses.push((await limitedServer.inject('/embed/unknown')).statusCode)
      expect(statuses).toEqual([404, 404, 404, 429])
    } finally {
      await limitedServer.close()
      await limited.close()
    }
  })
})

describe('GET /embed/:channelId/sign-in', () => {
  it.each(['GET', 'HEAD'])('can tell the window that opened it, and is in no frame (%s)', async (method) => {
    const response = await get(`/embed/${embedded}/sign-in?site=${testSite}`, { method })
    expect(response).toMatchObject({
      status: 200,
      ...unframed,
      opener: 'unsafe-none',
      resource: 'same-origin',
    })
    expect(response.text).toBe(method === 'HEAD' ? '' : 'the file pages/sign-in.html')
    expect(response.headers.get('cache-control')).toBe('no-cache')
  })
})

describe('all other pages', () => {
  it.each([
    '/',
    '/login',
    '/embed',
    '/embed/',
    '/embed.html',
    '/embed/a/b',
    '/embed/a/sign-in/b',
    '/embed/a/sign-in/',
    '/embed/a/SIGN-IN',
    '/EMBED/a/sign-in',
    '/embed/a%2fsign-in/',
    '/channels/embed/a',
    '/theme.js',
    '/api/openapi.json',
    '/api/unknown',
  ])('stay in no frame and without an opener: %s', async (path) => {
    for (const method of ['GET', 'HEAD'])
      expect(await get(path, { method })).toMatchObject({
        ...{ ...unframed, opener: 'same-origin', resource: 'same-origin' },
      })
  })

  it('keep the chat for pages of the same origin to those', async () => {
    expect(await get('/embedded-chat.html')).toMatchObject({
      ...{ ancestors: "'self'", frameOptions: 'SAMEORIGIN', opener: 'same-origin', resource: 'same-origin' },
    })
  })
})

describe('GET /embed.js', () => {
  it.each(['identity', 'gzip'])('can be loaded by other sites, and is revalidated (%s)', async (encoding) => {
    const response = await get('/embed.js', { headers: { 'accept-encoding': encoding } })
    expect(response).toMatchObject({ status: 200, resource: 'cross-origin', ...unframed })
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(response.headers.get('etag')).not.toBeNull()
    expect(response.headers.get('content-type')).toContain('javascript')
  })
})
