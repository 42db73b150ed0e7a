import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { chatsApi } from '@lyceum/contract/chats'
import { documentsApi } from '@lyceum/contract/documents'
import { statusApi } from '@lyceum/contract/status'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdmin, createTestChannel, createUser, type TestUser } from '#testing/factories.ts'
import { breakUpgrade } from '#testing/failing-migration.ts'
import { type CliResult, runCli } from '#testing/run-cli.ts'
import { type S3Proxy, startS3Proxy } from '#testing/s3-proxy.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { createTestBucket, requireS3, type TestBucket } from '#testing/test-bucket.ts'
import { UpgradeFailed, upgrade } from './backup/before-upgrade.ts'
import { readArchive } from './backup/read-archive.ts'

const content = 'The library opens at seven.'
const day = 24 * 3_600_000

let proxy: S3Proxy
let bucket: TestBucket
let app: TestApp
let admin: TestUser
let channelId: string
let elsewhere: string
beforeEach(async () => {
  proxy = await startS3Proxy(requireS3())
  bucket = await createTestBucket(proxy.url)
  app = await buildTestApp({ env: { ...bucket.env, S3_PREFIX: 'first' } })
  admin = await createAdmin(app.deps)
  channelId = await createTestChannel(app.deps)
  elsewhere = await mkdtemp(join(tmpdir(), 'lyceum-elsewhere-'))
})
afterEach(async () => {
  await app.close()
  await proxy.close()
  await rm(elsewhere, { recursive: true })
})

function upload() {
  return app.upload(documentsApi.upload, {
    as: admin,
    fields: { channelId },
    file: { name: 'opening-hours.txt', content },
  })
}

function download(id: string, as = admin) {
  return app.call(documentsApi.download, { as, params: { id } })
}

/** Runs a command of the same installation, or of another one on the same bucket. */
function lyceum(args: string[], env: Record<string, string> = {}): Promise<CliResult> {
  return runCli(args, { DATA_DIR: app.folder, ...bucket.env, S3_PREFIX: 'first', ...env })
}

it('stores uploads in the bucket and nothing in the data folder', async () => {
  const { status, body } = await upload()
  expect(status).toBe(200)
  expect(await bucket.list()).toEqual([expect.stringMatching(/^first\/([0-9a-f]{2})\/\1[0-9a-f]{38}$/)])
  const names = await readdir(app.folder)
  expect(names).not.toContain('blobs')
  expect(await readdir(join(app.folder, 'spool'))).toEqual([])
  expect((await download(body._id)).bytes.toString()).toBe(content)
})

describe('while the bucket is unavailable', () => {
  it('refuses uploads and downloads with 503, stores nothing, and serves everything else', async () => {
    const { body: stored } = await upload()
    proxy.fail('unavailable')
    for (const response of [await upload(), await download(stored._id)]) {
      expect([response.status, response.body.code]).toEqual([503, 'storage.unavailable'])
      expect(response.headers['retry-after']).toBe('10')
    }
    const list = await app.call(documentsApi.list, { as: admin, query: { channelId } })
    expect([list.status, JSON.stringify(list.body)]).toEqual([200, expect.stringContaining(stored._id)])
    const member = await createUser(app.deps, { channels: [channelId] })
    const { body: chat } = await app.call(chatsApi.create, { as: member, params: { channelId }, body: {} })
    const sent = await app.call(chatsApi.send, {
      as: member,
      params: { channelId, chatId: chat._id },
      body: { message: 'When does the library open?' },
    })
    expect(sent.status).toBe(200)
    expect((await app.raw({ method: 'GET', path: '/readyz' })).status).toBe(200)
    const { body: tested } = await app.call(statusApi.test, { as: admin, params: { part: 'storage' } })
    expect(tested.ok).toBe(false)
    expect(await readdir(join(app.folder, 'spool'))).toEqual([])
    proxy.recover()
    expect(await bucket.list()).toHaveLength(1)
    expect((await upload()).status).toBe(409)
  })

  it('reports why an upload is refused although its file cannot be removed', async () => {
    await upload()
    proxy.fail('unavailable', { method: 'DELETE' })
    expect((await upload()).body.code).toBe('document.duplicate')
    expect(await bucket.list()).toHaveLength(2)
  })

  it('lets documents wait to be indexed, and indexes them afterwards', async () => {
    const { body } = await upload()
    await app.call(documentsApi.approve, { as: admin, params: { id: body._id } })
    async function readState(): Promise<string> {
      const { index_state } = await app.deps.db
        .selectFrom('document_versions')
        .select('index_state')
        .executeTakeFirstOrThrow()
      return index_state
    }
    proxy.fail('unavailable')
    // More attempts than a document gets that cannot be read.
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      await app.runJobs()
      expect(await readState()).toBe('waiting')
      app.advance(600_000)
    }
    proxy.recover()
    await app.runJobs()
    expect(await readState()).toBe('ready')
  })
})

it('removes orphans from the bucket, and nothing else', async () => {
  await upload()
  const { key } = await app.deps.files.put(Readable.from([Buffer.from('left over')]))
  // The clock of a test server is behind that of the bucket.
  app.advance(Date.now() - app.deps.now() + day)
  const { body } = await app.call(documentsApi.cleanupOrphaned, { as: await createAdmin(app.deps) })
  expect(body).toMatchObject({ files: 1, bytes: 9 })
  expect(await bucket.list()).toEqual([expect.not.stringContaining(key)])
})

describe('a backup', () => {
  it('contains the files, and is restored into another folder of the bucket', async () => {
    const { body } = await upload()
    const path = join(elsewhere, 'backup.tar.gz')
    expect((await lyceum(['backup', path, '--with-secrets'])).stdout).toContain(' 1 file,')
    const data = join(elsewhere, 'data')
    const restored = await lyceum(['restore', path], { DATA_DIR: data, S3_PREFIX: 'second' })
    expect(restored.stderr).toBe('')
    expect(restored.stdout).toMatch(/^Restored into .*\/data and the bucket lyceum-\w+: .* 1 file as /)
    expect(await readdir(data)).not.toContain('blobs')
    const [first = '', second] = await bucket.list()
    expect(second).toBe(first.replace('first/', 'second/'))
    const checked = await lyceum(['doctor', '--hashes'], { DATA_DIR: data, S3_PREFIX: 'second' })
    expect(checked.stdout).toContain('ok       stored files: 1 checked, none missing or changed\n')
    expect((await download(body._id)).status).toBe(200)
  })

  it('contains the files when it is scheduled', async () => {
    await app.close()
    app = await buildTestApp({ env: { ...bucket.env, S3_PREFIX: 'scheduled', BACKUP_EVERY: '1h' } })
    admin = await createAdmin(app.deps)
    channelId = await createTestChannel(app.deps)
    await upload()
    await app.runJobs()
    const [name = ''] = (await readdir(app.deps.env.BACKUP_DIR)).filter((found) =>
      found.startsWith('lyceum-'),
    )
    const { files, missingFiles } = await readArchive(join(app.deps.env.BACKUP_DIR, name), null)
    expect([files, missingFiles]).toEqual([1, []])
  })

  it('contains the files when it is made before an upgrade', async () => {
    await upload()
    await breakUpgrade(app.deps.db)
    await expect(upgrade(app.deps)).rejects.toThrow(UpgradeFailed)
    const folder = join(app.deps.env.BACKUP_DIR, 'before-upgrade')
    const [name = ''] = await readdir(folder)
    const { files, missingFiles } = await readArchive(join(folder, name), null)
    expect([files, missingFiles]).toEqual([1, []])
  })

  it('fails instead of leaving out files while the bucket is unavailable', async () => {
    await upload()
    proxy.fail('unavailable')
    const path = join(elsewhere, 'backup.tar.gz')
    const { code, stderr } = await lyceum(['backup', path])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^No backup was made. The bucket lyceum-\w+ cannot be reached: .*\.\n$/)
    expect(await readdir(elsewhere)).toEqual([])
  })

  it('is not restored into a bucket with files, unless they may stay', async () => {
    await upload()
    const path = join(elsewhere, 'backup.tar.gz')
    await lyceum(['backup', path])
    const DATA_DIR = join(elsewhere, 'data')
    const refused = await lyceum(['restore', path], { DATA_DIR })
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(
      /^Nothing was restored. The bucket lyceum-\w+ already contains files\. .*\n$/,
    )
    expect((await lyceum(['restore', path, '--replace'], { DATA_DIR })).code).toBe(0)
    expect(await bucket.list()).toHaveLength(1)
  })
})

describe('lyceum doctor', () => {
  it('writes, reads and removes a file in the bucket', async () => {
    await upload()
    proxy.requests.length = 0
    const { stdout } = await lyceum(['doctor'])
    expect(stdout).toMatch(
      /^ok {7}file storage: a file was written to the bucket lyceum-\w+, read and removed$/m,
    )
    expect(stdout).toContain('ok       stored files: 1 checked, none missing\n')
    expect(proxy.requests.map(({ method }) => method)).toEqual(
      expect.arrayContaining(['PUT', 'GET', 'DELETE']),
    )
    expect(await bucket.list()).toHaveLength(1)
  })

  it('reports a bucket that can be listed but not written to', async () => {
    await upload()
    proxy.fail('unavailable', { method: 'PUT' })
    const { stdout, code } = await lyceum(['doctor'])
    expect(stdout).toMatch(/^problem {2}file storage: The file storage is unavailable: /m)
    expect(stdout).toContain('ok       stored files: 1 checked, none missing\n')
    expect(code).toBe(1)
  })

  it('reports a bucket that does not exist', async () => {
    const { stdout, code } = await lyceum(['doctor'], { S3_BUCKET: 'lyceum-missing' })
    expect(stdout).toMatch(/^problem {2}file storage: There is no bucket lyceum-missing at /m)
    expect(code).toBe(1)
  })
})
