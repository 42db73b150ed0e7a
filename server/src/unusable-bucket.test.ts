import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findFreePort, launchServer, spawnServer } from '#testing/spawn-server.ts'
import { createTestBucket, type TestBucket } from '#testing/test-bucket.ts'

let parent: string
let bucket: TestBucket
beforeEach(async () => {
  parent = mkdtempSync(join(tmpdir(), 'lyceum-bucket-'))
  bucket = await createTestBucket()
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

function getSettings(changes: Record<string, string>): Record<string, string> {
  return { DATA_DIR: join(parent, 'data'), HOME: parent, LOG_LEVEL: 'silent', ...bucket.env, ...changes }
}

/** Runs a start that fails, and returns what it prints and its exit code. */
async function start(changes: Record<string, string>): Promise<[output: string, code: number | null]> {
  const { child, output } = await launchServer(getSettings(changes))
  await once(child, 'close')
  return [output(), child.exitCode]
}

/** Starts a web server that knows nothing of S3. */
async function startWebServer(status: number): Promise<{ url: string; server: Server }> {
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'text/html' }).end('<html><body>Hello</body></html>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

describe('a start with a bucket', () => {
  it('works, and keeps files out of the data folder', async () => {
    const server = await spawnServer(getSettings({}))
    expect(await server.stop()).toBe(0)
  })

  it.each<[string, Record<string, string>, RegExp]>([
    [
      'does not exist',
      { S3_BUCKET: 'lyceum-missing' },
      /^There is no bucket lyceum-missing at http:.*\. Create it, .*\.\n$/,
    ],
    [
      'refuses the credentials',
      { AWS_SECRET_ACCESS_KEY: 'wrong' },
      /^Access to the bucket lyceum-\w+ was denied \(\w+\)\. Check the credentials, .*\.\n$/,
    ],
    [
      'gets no credentials',
      { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' },
      /^There are no credentials for the bucket lyceum-\w+\. Set AWS_ACCESS_KEY_ID .*\.\n$/,
    ],
    [
      'is in another region',
      { AWS_REGION: 'eu-central-1' },
      /^The bucket lyceum-\w+ is in (the region us-east-1|another region)\. Set AWS_REGION to it\.\n$/,
    ],
  ])('is refused in one sentence if it %s', async (_, changes, sentence) => {
    const [output, code] = await start(changes)
    expect(output).toMatch(sentence)
    expect(code).toBe(12)
  })

  it.each([200, 404])(
    'is refused in one sentence if a web server answers with %i instead',
    async (status) => {
      const { url, server } = await startWebServer(status)
      try {
        const [output, code] = await start({ S3_ENDPOINT: url })
        expect(output).toBe(`The server at ${url} does not answer like an S3 server. Check S3_ENDPOINT.\n`)
        expect(code).toBe(12)
      } finally {
        server.close()
        server.closeAllConnections()
      }
    },
  )

  it('is refused if nothing answers, but may be tried again', async () => {
    const [output, code] = await start({ S3_ENDPOINT: `http://127.0.0.1:${await findFreePort()}` })
    expect(output).toMatch(/^The bucket lyceum-\w+ cannot be reached: .*ECONNREFUSED.*\.\n$/)
    expect(code).toBe(1)
  })

  it('is refused if the data folder contains files that the bucket lacks', async () => {
    const folder = join(parent, 'data', 'blobs', 'ab')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'ab'.repeat(20)), 'a document')
    const [output, code] = await start({})
    expect(output).toMatch(
      /^S3_BUCKET is set, but .*blobs contains files\. Move them into the bucket first: .*\.\n$/,
    )
    expect(code).toBe(12)
  })
})
