import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type S3Fault, type S3Proxy, startS3Proxy } from '#testing/s3-proxy.ts'
import { createTestBucket, requireS3, type TestBucket } from '#testing/test-bucket.ts'
import { type BucketAddress, StorageUnavailable, StorageUnusable } from '../files/port.ts'
import { type ArchiveDraft, type ArchiveStore, TargetExists } from './port.ts'
import { createS3Archives, downloadS3Archive, type S3ArchivesOptions } from './s3.ts'

const mebibyte = 1024 * 1024
/** Three parts of the smallest size that S3 allows. */
const partBytes = 5 * mebibyte
const content = randomBytes(11 * mebibyte)
const name = 'lyceum-2026-11-26T10-00-00Z.tar.gz'

let folder: string
let proxy: S3Proxy
let bucket: TestBucket
let address: BucketAddress
let archives: ArchiveStore
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-archives-'))
  proxy = await startS3Proxy(requireS3())
  bucket = await createTestBucket(proxy.url)
  address = { ...bucket.locate(folder), prefix: 'team/backups' }
  archives = await openArchives()
})
afterEach(async () => {
  await proxy.close()
  await rm(folder, { recursive: true })
})

function openArchives(options: S3ArchivesOptions = {}, prefix = address.prefix): Promise<ArchiveStore> {
  return createS3Archives({ ...address, prefix }, { partBytes, ...options })
}

async function* inChunks(): AsyncIterable<Buffer> {
  for (let at = 0; at < content.length; at += 100_000) yield content.subarray(at, at + 100_000)
}

async function store(target = archives): Promise<void> {
  const draft = await target.begin(name)
  await draft.write(inChunks())
  expect(await draft.complete()).toBe(content.length)
}

async function download(): Promise<Buffer> {
  const path = join(folder, randomBytes(4).toString('hex'))
  await downloadS3Archive(address, name, { path, requireSpace: () => undefined })
  return readFile(path)
}

describe('writing an archive', () => {
  it('is refused if the name is taken', async () => {
    await store()
    await expect(archives.begin(name)).rejects.toThrow(TargetExists)
    await expect(archives.begin(name)).rejects.toThrow(`There is already a file at ${archives.locate(name)}.`)
  })

  it('does not replace an archive that another process stored meanwhile', async () => {
    const late = await archives.begin(name)
    await late.write(
      (async function* () {
        yield Buffer.from('other content')
      })(),
    )
    await store()
    await expect(late.complete()).rejects.toThrow(TargetExists)
    await late.discard()
    expect((await download()).equals(content)).toBe(true)
  })

  it('leaves nothing behind when its content breaks off', async () => {
    const draft = await archives.begin(name)
    const breaking = draft.write(
      (async function* () {
        yield content.subarray(0, 6 * mebibyte)
        throw new Error('the database was closed')
      })(),
    )
    await expect(breaking).rejects.toThrow('the database was closed')
    expect(await bucket.listUploads()).toEqual([`team/backups/${name}`])
    expect(await archives.list()).toEqual([])
    await draft.discard()
    expect(await bucket.listUploads()).toEqual([])
    expect(await bucket.list()).toEqual([])
  })

  it.each<[S3Fault, S3ArchivesOptions]>([
    ['unavailable', {}],
    ['cut', {}],
    ['wrong-bytes', {}],
    ['silent', { answerMs: 500, slowestUpload: 100_000 }],
    ['slow', { answerMs: 500, slowestUpload: 100_000 }],
  ])('fails and leaves nothing behind when the server is %s', async (fault, options) => {
    const draft = await (await openArchives(options)).begin(name)
    proxy.fail(fault, { method: 'PUT' })
    await expect(draft.write(inChunks())).rejects.toThrow(
      /^The bucket lyceum-\w+ does not work right now: [^.]+\.$/,
    )
    await draft.discard()
    expect(await bucket.list()).toEqual([])
    expect(await bucket.listUploads()).toEqual([])
  })

  it.each<S3Fault>(['unavailable', 'cut'])('sends a part again after %s', async (fault) => {
    proxy.fail(fault, { method: 'PUT', times: 1 })
    await store()
    proxy.recover()
    expect((await download()).equals(content)).toBe(true)
  })

  describe('at its end', () => {
    let draft: ArchiveDraft
    beforeEach(async () => {
      draft = await archives.begin(name)
      await draft.write(inChunks())
    })

    it('shows no archive if the server refuses to complete it', async () => {
      expect(await archives.list()).toEqual([])
      proxy.fail('unavailable', { method: 'POST' })
      await expect(draft.complete()).rejects.toThrow(StorageUnavailable)
      expect(await archives.has(name)).toBe(false)
      expect(await archives.list()).toEqual([])
    })

    it('takes the archive as stored when only the answer was lost', async () => {
      proxy.fail('lost-answer', { method: 'POST', times: 1 })
      expect(await draft.complete()).toBe(content.length)
      expect(await archives.list()).toEqual([name])
      expect(await bucket.listUploads()).toEqual([])
    })
  })
})

describe('reading an archive', () => {
  it('is refused if there is none', async () => {
    await expect(download()).rejects.toThrow(StorageUnusable)
    await expect(download()).rejects.toThrow(
      `There is no backup at ${archives.locate(name)}. Check the address and S3_ENDPOINT.`,
    )
  })

  it('fails in one sentence when the connection is cut each time', async () => {
    await store()
    proxy.fail('cut', { method: 'GET', path: name })
    await expect(download()).rejects.toThrow(/^The bucket lyceum-\w+ does not work right now: [^.]+\.$/)
  })

  it('continues where the connection was cut, more than once', async () => {
    await store()
    proxy.fail('cut', { method: 'GET', path: name, times: 3 })
    expect((await download()).equals(content)).toBe(true)
  })
})

it('lists only what is in its own folder, and removes it', async () => {
  await store()
  await store(await openArchives({}, 'team'))
  await store(await openArchives({}, 'team/backups/before-upgrade'))
  expect(await archives.list()).toEqual([name])
  await archives.remove(name)
  await archives.remove(name)
  expect(await archives.list()).toEqual([])
  expect(await bucket.list()).toHaveLength(2)
})

it('discards abandoned drafts of its own folder only', async () => {
  await archives.begin(name)
  await archives.begin('someone-elses.tar.gz')
  await (await openArchives({}, 'team/backups/before-upgrade')).begin(name)
  await archives.discardAbandoned((changedAt) => changedAt < Date.now() - 3_600_000)
  expect(await bucket.listUploads()).toHaveLength(3)
  await archives.discardAbandoned(() => true)
  expect((await bucket.listUploads()).toSorted()).toEqual([
    `team/backups/before-upgrade/${name}`,
    'team/backups/someone-elses.tar.gz',
  ])
})

it('says in one sentence that the bucket cannot be reached', async () => {
  proxy.fail('unavailable')
  await expect(openArchives()).rejects.toThrow(/^The bucket lyceum-\w+ cannot be reached: .*\.$/)
  await expect(archives.list()).rejects.toThrow(StorageUnavailable)
  await expect(archives.has(name)).rejects.toThrow(StorageUnavailable)
  await expect(archives.remove(name)).rejects.toThrow(StorageUnavailable)
})
