import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { documentsApi } from '@lyceum/contract/documents'
import { statusApi } from '@lyceum/contract/status'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openArchives } from '#providers/archives/open-archives.ts'
import { createAdmin, createTestChannel, type TestUser } from '#testing/factories.ts'
import { breakUpgrade } from '#testing/failing-migration.ts'
import { type CliResult, runCli } from '#testing/run-cli.ts'
import { type S3Proxy, startS3Proxy } from '#testing/s3-proxy.ts'
import { buildTestApp, type TestApp } from '#testing/test-app.ts'
import { createTestBucket, requireS3, type TestBucket } from '#testing/test-bucket.ts'
import { getFilesLocation } from '../files/files-location.ts'
import { getArchivesLocation } from './archives-location.ts'
import { backupInChild } from './backup-child.ts'
import { backupName, parseBackupTime, selectTimesToKeep } from './backup-names.ts'
import { UpgradeFailed, UpgradeNotSafe, upgrade } from './before-upgrade.ts'
import { getDatabaseLocation } from './locations.ts'
import { backupState } from './state.ts'

const minute = 60_000
const hour = 60 * minute
const archiveName = /^backups\/lyceum-[\dT-]+Z\.tar\.gz$/

let proxy: S3Proxy
let bucket: TestBucket
let folderAddress: string
let app: TestApp
let admin: TestUser
let elsewhere: string
beforeEach(async () => {
  proxy = await startS3Proxy(requireS3())
  bucket = await createTestBucket(proxy.url)
  folderAddress = `s3://${bucket.env['S3_BUCKET']}/backups`
  app = await buildTestApp({ env: getSettings({ BACKUP_EVERY: '1h' }) })
  admin = await createAdmin(app.deps)
  elsewhere = await mkdtemp(join(tmpdir(), 'lyceum-elsewhere-'))
})
afterEach(async () => {
  await app.close()
  await proxy.close()
  await rm(elsewhere, { recursive: true })
})

/** Settings of a server that keeps its files in the data folder and its backups in the bucket. */
function getSettings(changes: Record<string, string> = {}): Record<string, string> {
  const { S3_BUCKET: _, ...settings } = bucket.env
  return { ...settings, BACKUP_DIR: folderAddress, ...changes }
}

function lyceum(args: string[], env: Record<string, string> = {}): Promise<CliResult> {
  return runCli(args, { DATA_DIR: app.folder, ...getSettings(), ...env })
}

async function upload(): Promise<void> {
  const channelId = await createTestChannel(app.deps)
  const { status } = await app.upload(documentsApi.upload, {
    as: admin,
    fields: { channelId },
    file: { name: 'opening-hours.txt', content: 'The library opens at seven.' },
  })
  expect(status).toBe(200)
}

async function readBackupsPart() {
  const { body } = await app.call(statusApi.get, { as: admin })
  return body.parts.find(({ part }: { part: string }) => part === 'backups')
}

async function expectNoTraces(): Promise<void> {
  expect(await bucket.list()).toEqual([])
  expect(await bucket.listUploads()).toEqual([])
}

describe('a scheduled backup', () => {
  it('fails in one sentence while the bucket is away, and is tried again', async () => {
    proxy.fail('unavailable')
    await app.runJobs()
    const { isFailing, lastFailure } = await backupState(app.deps)
    expect(isFailing).toBe(true)
    expect(lastFailure?.reason).toMatch(/^The bucket lyceum-\w+ cannot be reached: [^.]+\.$/)
    proxy.recover()
    app.advance(5 * minute)
    await app.runJobs()
    expect(await backupState(app.deps)).toMatchObject({ isFailing: false })
    expect(await bucket.list()).toEqual([expect.stringMatching(archiveName)])
  })

  it.each(['PUT', 'POST'])('leaves no archive when the bucket fails during %s', async (method) => {
    proxy.fail(method === 'PUT' ? 'cut' : 'unavailable', { method })
    await app.runJobs()
    expect((await backupState(app.deps)).lastFailure?.reason).toMatch(
      /^The bucket lyceum-\w+ does not work right now: [^.]+\.$/,
    )
    await expectNoTraces()
  })

  it('leaves no archive when its process is killed, and the next day discards what was sent', async () => {
    const { env, now } = app.deps
    const stopping = new AbortController()
    proxy.fail('silent', { method: 'PUT' })
    const killed = backupInChild(
      {
        database: getDatabaseLocation(env),
        files: getFilesLocation(env),
        archives: getArchivesLocation(env),
        name: backupName(now(), false),
        passphrase: null,
        secretsFile: null,
        madeAt: now(),
      },
      stopping.signal,
    )
    const outcome = expect(killed).rejects.toThrow('aborted')
    await expect.poll(() => bucket.listUploads()).toHaveLength(1)
    stopping.abort()
    await outcome
    expect(await bucket.list()).toEqual([])
    proxy.recover()
    // The clock of a test server is behind that of the bucket.
    app.advance(Date.now() - now() + 25 * hour)
    await app.runJobs()
    expect(await bucket.listUploads()).toEqual([])
    expect(await bucket.list()).toHaveLength(1)
  })

  it('is stored in the bucket, and older ones are pruned', async () => {
    const archives = await openArchives(getArchivesLocation(app.deps.env))
    const times = Array.from({ length: 30 }, (_, index) => app.deps.now() - (index + 1) * hour)
    for (const at of times) {
      const draft = await archives.begin(backupName(at, false))
      await draft.write(Readable.from([Buffer.from('an archive')]))
      await draft.complete()
    }
    await app.runJobs()
    const { lastSuccess } = await backupState(app.deps)
    const made = lastSuccess?.path.replace(`${folderAddress}/`, '') ?? ''
    const madeAt = parseBackupTime(made) ?? 0
    expect(madeAt).toBeGreaterThan(0)
    const kept = selectTimesToKeep([...times, madeAt])
    expect((await archives.list()).toSorted()).toEqual(
      [...kept].map((at) => backupName(at, false)).toSorted(),
    )
    expect(kept.size).toBeLessThan(times.length)
    expect(await readdir(app.folder)).not.toContain('backups')
  })
})

describe('the backup before an upgrade', () => {
  beforeEach(() => breakUpgrade(app.deps.db))

  it('prevents the upgrade in one sentence while the bucket is away', async () => {
    proxy.fail('unavailable')
    await expect(upgrade(app.deps)).rejects.toThrow(UpgradeNotSafe)
    await expect(upgrade(app.deps)).rejects.toThrow(
      /^The database was not upgraded, because .* failed: The bucket lyceum-\w+ cannot be reached: [^.]+\. To/,
    )
  })

  it('is stored in a folder of its own, and used again by a second attempt', async () => {
    const address = `${folderAddress}/before-upgrade/lyceum-`
    await expect(upgrade(app.deps)).rejects.toThrow(`The backup made before the upgrade is ${address}`)
    await expect(upgrade(app.deps)).rejects.toThrow(UpgradeFailed)
    expect(await bucket.list()).toEqual([
      expect.stringMatching(/^backups\/before-upgrade\/lyceum-[\dT-]+Z\.tar\.gz$/),
    ])
  })
})

describe('lyceum backup and restore', () => {
  it.each([
    ['backup', 's3://bucket'],
    ['restore', 's3://bucket/a/../b'],
  ])('refuse an address that names no file: %s %s', async (command, address) => {
    const { code, stderr } = await lyceum([command, address])
    expect(code).toBe(2)
    expect(stderr).toContain(`${address} names no file in a bucket.`)
  })

  it('say in one sentence that the bucket cannot be reached, and leave nothing behind', async () => {
    proxy.fail('unavailable')
    const address = `${folderAddress}/mine.tar.gz`
    expect((await lyceum(['backup', address])).stderr).toMatch(
      /^No backup was made. The bucket lyceum-\w+ cannot be reached: [^.]+\.\n$/,
    )
    const restored = await lyceum(['restore', address], { DATA_DIR: join(elsewhere, 'data') })
    expect(restored.stderr).toMatch(
      /^Nothing was restored. The bucket lyceum-\w+ cannot be reached: [^.]+\.\n$/,
    )
    proxy.recover()
    await expectNoTraces()
  })

  it('refuse a name that is taken, and one that does not exist', async () => {
    const address = `${folderAddress}/mine.tar.gz`
    const missing = `There is no backup at ${address}. Check the address and S3_ENDPOINT.\n`
    expect((await lyceum(['backup', '--verify', address])).stderr).toBe(missing)
    expect((await lyceum(['backup', address])).code).toBe(0)
    const again = await lyceum(['backup', address])
    expect([again.code, again.stderr]).toEqual([
      1,
      `No backup was made. There is already a file at ${address}.\n`,
    ])
  })

  it('do not restore an archive that arrives with other bytes', async () => {
    const address = `${folderAddress}/mine.tar.gz`
    await lyceum(['backup', address])
    const data = join(elsewhere, 'data')
    proxy.fail('wrong-bytes', { method: 'GET', path: 'mine.tar.gz' })
    const { code, stderr } = await lyceum(['restore', address], { DATA_DIR: data })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^Nothing was restored. The backup cannot be used: .*\.\n$/)
    expect(await readdir(data)).not.toContain('lyceum.db')
  })

  it('move an installation through the bucket', async () => {
    await upload()
    const address = `${folderAddress}/mine.tar.gz`
    const made = await lyceum(['backup', address, '--with-secrets'])
    expect(made.stdout).toMatch(/^s3:\/\/lyceum-\w+\/backups\/mine\.tar\.gz: .* 1 file, /)
    expect(await bucket.list()).toEqual(['backups/mine.tar.gz'])
    expect((await lyceum(['backup', '--verify', address])).stdout).toContain(
      `${address} is complete and unchanged.\n`,
    )
    const data = join(elsewhere, 'data')
    const restored = await lyceum(['restore', address], { DATA_DIR: data })
    expect([restored.code, restored.stderr]).toEqual([0, ''])
    expect((await readdir(data)).filter((item) => item.startsWith('spool'))).toEqual([])
    const checked = await lyceum(['doctor', '--hashes'], { DATA_DIR: data })
    expect(checked.stdout).toContain('ok       stored files: 1 checked, none missing or changed\n')
  })
})

describe('an administrator', () => {
  it('sees that the bucket is away', async () => {
    await app.runJobs()
    proxy.fail('unavailable')
    expect(await readBackupsPart()).toMatchObject({
      state: 'failing',
      words: expect.stringMatching(/^The bucket lyceum-\w+ cannot be reached: /),
    })
    const { stdout, code } = await lyceum(['doctor'])
    expect(stdout).toMatch(/^problem {2}backup folder: The bucket lyceum-\w+ cannot be reached: [^.]+\.$/m)
    expect(code).toBe(1)
  })

  it('sees that the bucket accepts no backups', async () => {
    proxy.fail('unavailable', { method: 'PUT' })
    expect((await lyceum(['doctor'])).stdout).toMatch(
      /^problem {2}backup folder: The bucket lyceum-\w+ does not work right now: [^.]+\.$/m,
    )
    await expectNoTraces()
  })

  it('sees where the backups are and how many there are', async () => {
    await app.runJobs()
    expect(await readBackupsPart()).toMatchObject({
      state: 'ok',
      facts: expect.arrayContaining([
        { label: 'Stored backups', kind: 'count', value: 1 },
        { label: 'Folder', kind: 'text', value: folderAddress },
      ]),
    })
    const { stdout } = await lyceum(['doctor'])
    expect(stdout).toContain(
      `ok       backup folder: 1 backup in ${folderAddress}; a file was written there and removed\n`,
    )
    expect(await bucket.list()).toHaveLength(1)
  })
})
