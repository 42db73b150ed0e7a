import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { buildApp } from '../app.ts'

let app: TestApp
let server: FastifyInstance
let url: string
beforeAll(async () => {
  app = await buildTestApp()
  const webFolder = join(app.folder, 'web')
  await mkdir(join(webFolder, 'pages'), { recursive: true })
  await writeFile(join(webFolder, 'index.html'), 'the page')
  await writeFile(join(webFolder, 'pages/invite.html'), 'the invitation')
  await writeFile(join(webFolder, 'pages/channel.html'), 'the channel')
  const pages = [
    { path: '/invite/:token?', file: 'pages/invite.html' },
    { path: '/channels/:id', file: 'pages/channel.html' },
  ]
  await mkdir(join(webFolder, '.vite'))
  await writeFile(join(webFolder, '.vite/pages.json'), JSON.stringify(pages))
  ;({ server } = await buildApp(app.deps, { webFolder, stopping: new AbortController().signal }))
  url = await server.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await server?.close()
  await app?.close()
})

it.each(['/', '/login', '/channels/1/chats/2'])('serves the page for %s without a warning', async (path) => {
  const warnings: string[] = []
  function collect({ message }: Error): void {
    warnings.push(message)
  }
  process.on('warning', collect)
  try {
    const response = await fetch(url + path)
    expect([response.status, await response.text()]).toEqual([200, 'the page'])
    // Node emits warnings in a later turn.
    await new Promise((resolve) => setImmediate(resolve))
    expect(warnings).toEqual([])
  } finally {
    process.off('warning', collect)
  }
})

it.each([
  ['/login', 'the page'],
  ['/channels', 'the page'],
  ['/channels/1/chats/2', 'the page'],
  ['/invite', 'the invitation'],
  ['/invite/some-token', 'the invitation'],
  ['/channels/1?chat=2', 'the channel'],
])('serves the document of the page for %s', async (path, document) => {
  const response = await fetch(url + path)
  expect([await response.text(), response.headers.get('cache-control')]).toEqual([document, 'no-cache'])
})

it.each(['/assets/missing.js', '/api/nowhere'])('answers 404 for %s', async (path) => {
  const response = await fetch(url + path)
  expect([response.status, await response.json()]).toMatchObject([404, { code: 'not_found' }])
})
