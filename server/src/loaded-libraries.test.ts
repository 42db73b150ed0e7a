import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type SpawnedServer, spawnServer } from '#testing/spawn-server.ts'

/** Makes a server print the names of the libraries that it loads. */
const reportLibraries = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from 'node:module'
    registerHooks({ load(url, context, next) {
      const [, name] = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? []
      if (name) process.stderr.write('loaded ' + name + '\\n')
      return next(url, context)
    } })`)}`,
}

let folder: string
let server: SpawnedServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-libraries-'))
  server = await spawnServer({ DATA_DIR: folder, ...reportLibraries })
})
afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

it.each([
  ['PostgreSQL', 'pg'],
  ['Redis', 'ioredis'],
  ['a bucket', '@aws-sdk/client-s3'],
  ['the Model Context Protocol', '@modelcontextprotocol/server'],
])('a server that does not use %s starts without its library', (_use, library) => {
  expect(server.output()).toContain('loaded fastify\n')
  expect(server.output()).not.toContain(`loaded ${library}\n`)
})
