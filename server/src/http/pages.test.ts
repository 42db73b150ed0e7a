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
  await mkdir(webFolder)
  await writeFile(join(webFolder, 'index.html'), 'the page')
  const pages = [
    { path: '/invite/:token?', files: ['assets/invite.js'] },
    { path: '/channels/:id', files: ['assets/channel.js', 'assets/layout.js'] },
  ]
  await mkdir(join(webFolder, '.vite'))
  await writeFile(join(webFolder, '.vite/page-files.json'), JSON.stringify(pages))
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

const firstFiles = [
  '</theme.js>; rel=preload; as=script, ',
  '</splash.css>; rel=preload; as=style, ',
  '</early-work.js>; rel=preload; as=script, ',
].join('')

it.each([
  ['/login', null],
  ['/channels', null],
  ['/channels/1/chats/2', null],
  ['/invite', `${firstFiles}</assets/invite.js>; rel=modulepreload; crossorigin`],
  ['/invite/some-token', `${firstFiles}</assets/invite.js>; rel=modulepreload; crossorigin`],
  [
    '/channels/1?chat=2',
    `${firstFiles}</assets/channel.js>; rel=modulepreload; crossorigin, </assets/layout.js>; rel=modulepreload; crossorigin`,
  ],
])('names the scripts of the page for %s', async (path, link) => {
  expect((await fetch(url + path)).headers.get('link')).toBe(link)
})

it.each(['/assets/missing.js', '/api/nowhere'])('answers 404 for %s', async (path) => {
  const response = await fetch(url + path)
  expect([response.status, await response.json()]).toMatchObject([404, { code: 'not_found' }])
})
