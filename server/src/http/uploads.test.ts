import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { endpoints } from '@lyceum/contract/api'
import { documentsApi } from '@lyceum/contract/documents'
import type { EndpointShape, Upload } from '@lyceum/contract/endpoint'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildPath } from '#testing/build-path.ts'
import { createAdmin, type TestUser } from '#testing/factories.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'

interface LogLine {
  level: number
  msg: string
}

let app: TestApp
let admin: TestUser
let lines: LogLine[]
const log = pino(
  { level: 'debug' },
  new Writable({
    write(line, _encoding, done) {
      lines.push(JSON.parse(String(line)) as LogLine)
      done()
    },
  }),
)

beforeAll(async () => {
  app = await buildTestApp({ deps: { log } })
  app.useFirstServer()
  admin = await createAdmin(app.deps, { isSystemAdmin: true })
})
beforeEach(() => {
  lines = []
})
afterAll(() => app.close())

function spool(): string {
  return join(app.folder, 'spool')
}

const errorLevel = 50
function listErrors(): LogLine[] {
  return lines.filter(({ level }) => level >= errorLevel)
}

const uploads = endpoints.filter((endpoint): endpoint is typeof endpoint & { upload: Upload } =>
  Object.hasOwn(endpoint, 'upload'),
)

function openPart(field: string): string {
  return `--edge\r\nContent-Disposition: form-data; name="${field}"; filename="notes.txt"\r\n\r\n`
}
const closed = 'multipart/form-data; boundary=edge'

/** A content type and a body for a file in this field. */
const malformed: [string, (field: string) => { type: string; body: string }][] = [
  [
    'no boundary',
    (field) => ({ type: 'multipart/form-data', body: `${openPart(field)}words\r\n--edge--\r\n` }),
  ],
  [
    'an empty boundary',
    (field) => ({ type: 'multipart/form-data; boundary=', body: `${openPart(field)}words\r\n--edge--\r\n` }),
  ],
  ['no closing delimiter', (field) => ({ type: closed, body: `${openPart(field)}words` })],
  ['a delimiter that is cut off', (field) => ({ type: closed, body: `${openPart(field)}words\r\n--ed` })],
  ['the headers of a part cut off', (field) => ({ type: closed, body: openPart(field).slice(0, 40) })],
  [
    'another boundary than declared',
    (field) => ({ type: `${closed}x`, body: `${openPart(field)}words\r\n--edge--\r\n` }),
  ],
]

function pathOf(endpoint: EndpointShape): string {
  const names = Object.keys(endpoint.params?.shape ?? {})
  return buildPath(endpoint, Object.fromEntries(names.map((name) => [name, 'unknown'])))
}

describe.each(uploads.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  '%s',
  (_name, endpoint) => {
    it.each(malformed)('rejects a body with %s', async (_case, create) => {
      const { type, body } = create(endpoint.upload.field)
      const response = await app.raw({
        method: endpoint.method,
        path: pathOf(endpoint),
        as: admin,
        headers: { 'content-type': type },
        body,
      })
      expect([response.status, response.body]).toEqual([
        400,
        { code: 'request.malformed', message: 'The request is not valid.' },
      ])
      expect(listErrors()).toEqual([])
      expect(await readdir(spool())).toEqual([])
    })
  },
)

/** Sends the beginning of an upload and disconnects as soon as the server has begun to store it. */
async function leaveDuringUpload(): Promise<void> {
  const { hostname, port } = new URL(await app.url())
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(
    [
      `POST ${buildPath(documentsApi.upload)} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${admin.token}`,
      `Content-Type: ${closed}`,
      'Content-Length: 1000000',
      '',
      `${openPart('file')}${'words '.repeat(1000)}`,
    ].join('\r\n'),
  )
  await expect.poll(() => readdir(spool())).toHaveLength(1)
  socket.destroy()
  await expect.poll(() => readdir(spool())).toEqual([])
}

describe('a client that leaves during an upload', () => {
  it('causes no error in the log', async () => {
    await leaveDuringUpload()
    await expect.poll(() => lines.map(({ msg }) => msg)).toContain('the client left')
    expect(listErrors()).toEqual([])
  })
})
