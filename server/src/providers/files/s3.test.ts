import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type S3Fault, type S3Proxy, startS3Proxy } from '#testing/s3-proxy.ts'
import { createTestBucket, requireS3, type TestBucket } from '#testing/test-bucket.ts'
import { type FileStore, StorageUnavailable } from './port.ts'
import { createS3Files, type S3Options } from './s3.ts'

const content = Buffer.from(Array.from({ length: 400_000 }, (_, index) => (index * 31) % 251))

let spool: string
let proxy: S3Proxy
let bucket: TestBucket
let files: FileStore
beforeEach(async () => {
  spool = await mkdtemp(join(tmpdir(), 'lyceum-spool-'))
  proxy = await startS3Proxy(requireS3())
  bucket = await createTestBucket(proxy.url)
  files = await openBucket()
})
afterEach(async () => {
  await proxy.close()
  await rm(spool, { recursive: true })
})

function openBucket(options: S3Options = {}): Promise<FileStore> {
  return createS3Files(bucket.locate(spool), options)
}

function put(store = files): ReturnType<FileStore['put']> {
  return store.put(Readable.from([content]))
}

async function expectNothingStored(): Promise<void> {
  expect(await bucket.list()).toEqual([])
  expect(await readdir(spool)).toEqual([])
}

describe('storing a file', () => {
  it('sends the length, the hash and a condition in one request', async () => {
    const { key, sha256 } = await put()
    expect(await bucket.list()).toEqual([`${key.slice(0, 2)}/${key}`])
    const [upload, ...more] = proxy.requests.filter(({ method }) => method === 'PUT')
    expect(more).toEqual([])
    expect(upload?.headers).toMatchObject({
      'content-length': String(content.length),
      'x-amz-checksum-sha256': Buffer.from(sha256, 'hex').toString('base64'),
      'if-none-match': '*',
    })
    expect(upload?.headers['content-encoding']).toBeUndefined()
  })

  it('survives a spooled file that cannot be read to its end', async () => {
    const broken = await openBucket({
      openSpooled: () =>
        Readable.from(
          (async function* () {
            yield content.subarray(0, 200_000)
            throw new Error('the disk reported an error')
          })(),
        ),
    })
    await expect(put(broken)).rejects.toThrow(StorageUnavailable)
    await expectNothingStored()
  })

  it.each<[S3Fault, S3Options]>([
    ['unavailable', {}],
    ['cut', {}],
    ['wrong-bytes', {}],
    ['silent', { answerMs: 300, slowestUpload: 10_000 }],
    ['slow', { answerMs: 300, slowestUpload: 10_000 }],
  ])('refuses it and leaves nothing behind when the server is %s', async (fault, options) => {
    const store = await openBucket(options)
    proxy.fail(fault, { method: 'PUT' })
    await expect(put(store)).rejects.toThrow(StorageUnavailable)
    await expectNothingStored()
    proxy.recover()
    await put()
  })

  it.each<S3Fault>(['unavailable', 'cut', 'wrong-bytes'])('tries again after %s', async (fault) => {
    proxy.fail(fault, { method: 'PUT', times: 2 })
    const { key } = await put()
    expect(await buffer(await files.open(key))).toEqual(content)
  })

  it('takes a file as stored when only the answer was lost', async () => {
    proxy.fail('lost-answer', { method: 'PUT', times: 1 })
    const { key } = await put()
    expect(await bucket.list()).toEqual([`${key.slice(0, 2)}/${key}`])
    expect(proxy.requests.filter(({ method }) => method === 'PUT')).toHaveLength(1)
  })
})

describe('reading a file', () => {
  let key: string
  beforeEach(async () => {
    key = (await put()).key
    proxy.requests.length = 0
  })

  function findRanges(): (string | undefined)[] {
    return proxy.requests.map(({ headers }) => headers.range)
  }

  it('requests the remaining bytes when the connection is cut', async () => {
    proxy.fail('cut', { method: 'GET', times: 1 })
    expect(await buffer(await files.open(key))).toEqual(content)
    expect(findRanges()).toEqual([undefined, expect.stringMatching(/^bytes=[1-9]\d*-399999$/)])
  })

  it('requests the remaining bytes of a range, too', async () => {
    proxy.fail('cut', { method: 'GET', times: 1 })
    const part = await buffer(await files.open(key, { start: 1000, end: 200_999 }))
    expect(part).toEqual(content.subarray(1000, 201_000))
    expect(findRanges()).toEqual(['bytes=1000-200999', expect.stringMatching(/^bytes=\d{5,6}-200999$/)])
  })

  it('fails when the connection is cut twice', async () => {
    proxy.fail('cut', { method: 'GET' })
    await expect(files.open(key).then(buffer)).rejects.toThrow(StorageUnavailable)
    expect(proxy.requests).toHaveLength(2)
  })

  it('never completes a file that arrives with other bytes', async () => {
    proxy.fail('wrong-bytes', { method: 'GET' })
    let received = 0
    const stream = await files.open(key)
    stream.on('data', (chunk: Buffer) => {
      received += chunk.length
    })
    await expect(
      new Promise((resolve, reject) => stream.once('end', resolve).once('error', reject)),
    ).rejects.toThrow('arrived with other bytes than were stored')
    expect(received).toBeLessThan(content.length)
  })

  it.each<S3Fault>(['unavailable', 'silent'])(
    'fails before the first byte when the server is %s',
    async (fault) => {
      const store = await openBucket({ answerMs: 300 })
      proxy.fail(fault)
      await expect(store.open(key)).rejects.toThrow(StorageUnavailable)
    },
  )

  it('reads a slow file to its end, however long that takes', async () => {
    const { key: small } = await files.put(Readable.from([Buffer.alloc(2500, 'x')]))
    const store = await openBucket({ answerMs: 1500 })
    proxy.fail('slow', { method: 'GET' })
    expect((await buffer(await store.open(small))).length).toBe(2500)
    expect(proxy.requests.filter(({ method }) => method === 'GET').length).toBeGreaterThan(0)
  })
})

it('does not take a file for missing when the server is unavailable', async () => {
  const { key } = await put()
  proxy.fail('unavailable')
  await expect(files.size(key)).rejects.toThrow(StorageUnavailable)
  await expect(files.remove(key)).rejects.toThrow(StorageUnavailable)
  await expect(Array.fromAsync(files.list())).rejects.toThrow(StorageUnavailable)
})

it('lists more files than fit into one answer', async () => {
  const keys = Array.from({ length: 1001 }, (_, index) => `ab${index.toString(16).padStart(38, '0')}`)
  const waiting = [...keys]
  async function restoreAll(): Promise<void> {
    for (let key = waiting.pop(); key !== undefined; key = waiting.pop())
      await files.restore(key, Readable.from([Buffer.from('x')]))
  }
  await Promise.all(Array.from({ length: 16 }, restoreAll))
  const found = (await Array.fromAsync(files.list())).map(({ key }) => key)
  expect(found.toSorted()).toEqual(keys)
})
