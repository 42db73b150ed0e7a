import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestBucket } from '#testing/test-bucket.ts'
import { createLocalFiles } from './local.ts'
import type { FileStore } from './port.ts'
import { createS3Files } from './s3.ts'

const spool = 'incoming'

/** Tests that every file store must pass. It keeps files on their way in a folder of the given one. */
function describeCompliance(name: string, open: (folder: string) => Promise<FileStore>): void {
  describe(name, () => {
    let folder: string
    let files: FileStore
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'lyceum-files-'))
      files = await open(folder)
    })
    afterAll(() => rm(folder, { recursive: true, force: true }))

    async function listKeys(): Promise<string[]> {
      const found: string[] = []
      for await (const { key } of files.list()) found.push(key)
      return found
    }

    it('returns the stored content, size and hash', async () => {
      const content = Buffer.alloc(3_000_000, 'lyceum')
      const stored = await files.put(Readable.from([content.subarray(0, 100), content.subarray(100)]))
      expect(stored.size).toBe(content.length)
      expect(stored.sha256).toMatch(/^[0-9a-f]{64}$/)
      expect(await buffer(await files.open(stored.key))).toEqual(content)
      expect(await buffer(await files.open(stored.key, { start: 6, end: 11 }))).toEqual(Buffer.from('lyceum'))
      expect(await files.size(stored.key)).toBe(content.length)
      expect(await listKeys()).toContain(stored.key)
      expect(await readdir(join(folder, spool))).toEqual([])
    })

    it('stores an empty file', async () => {
      const { key, size } = await files.put(Readable.from([]))
      expect(size).toBe(0)
      expect(await files.size(key)).toBe(0)
      expect(await buffer(await files.open(key))).toEqual(Buffer.alloc(0))
    })

    it('lists files with their size and the time of their change', async () => {
      const before = Date.now()
      const { key } = await files.put(Readable.from([Buffer.from('listed')]))
      const entry = (await Array.fromAsync(files.list())).find((listed) => listed.key === key)
      expect(entry?.size).toBe(6)
      // A server may round down to seconds.
      expect(entry?.modifiedAt).toBeGreaterThanOrEqual(before - 1000)
    })

    it('restores a file under its key and rejects invalid keys', async () => {
      const { key } = await files.put(Readable.from([Buffer.from('kept')]))
      await files.remove(key)
      await files.restore(key, Readable.from([Buffer.from('kept')]))
      expect((await buffer(await files.open(key))).toString()).toBe('kept')
      await expect(files.restore('../outside', Readable.from([Buffer.from('x')]))).rejects.toThrow()
      expect(await readdir(join(folder, '..'))).not.toContain('outside')
    })

    it('restores a file that is there already', async () => {
      const { key } = await files.put(Readable.from([Buffer.from('same')]))
      await files.restore(key, Readable.from([Buffer.from('same')]))
      expect((await buffer(await files.open(key))).toString()).toBe('same')
    })

    it('stores nothing when the stream fails', async () => {
      const before = await listKeys()
      const failing = Readable.from(
        (async function* () {
          yield Buffer.from('some')
          throw new Error('connection dropped')
        })(),
      )
      await expect(files.put(failing)).rejects.toThrow('connection dropped')
      expect(await listKeys()).toEqual(before)
      expect(await readdir(join(folder, spool))).toEqual([])
    })

    it('removes files and ignores missing ones', async () => {
      const { key } = await files.put(Readable.from([Buffer.from('x')]))
      await files.remove(key)
      await files.remove(key)
      expect(await files.size(key)).toBeNull()
      await expect(files.open(key)).rejects.toThrow()
    })

    it('can be closed before a file is read', async () => {
      const { key } = await files.put(Readable.from([Buffer.alloc(100_000)]))
      const stream = await files.open(key)
      await new Promise((resolve) => stream.once('close', resolve).destroy())
      expect((await buffer(await files.open(key))).length).toBe(100_000)
    })

    it.each(['', '../secrets.json', '..%2f', `${'a'.repeat(40)}/../..`, 'A'.repeat(40)])(
      'rejects the invalid key %j',
      async (key) => {
        await expect(files.open(key)).rejects.toThrow()
        expect(await files.size(key)).toBeNull()
      },
    )
  })
}

describeCompliance('local files', createLocalFiles)

describeCompliance('files in a bucket', async (folder) =>
  createS3Files((await createTestBucket()).locate(join(folder, spool))),
)

describeCompliance('files in a folder of a bucket', async (folder) =>
  createS3Files({ ...(await createTestBucket()).locate(join(folder, spool)), prefix: 'team/a' }),
)

it('removes abandoned uploads at startup but not recent ones', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-files-'))
  try {
    await createLocalFiles(folder)
    const [abandoned, current] = ['abandoned', 'current'].map((name) => join(folder, 'incoming', name))
    for (const path of [abandoned, current]) await writeFile(path ?? '', 'half')
    const before = new Date(Date.now() - 2 * 3_600_000)
    await utimes(abandoned ?? '', before, before)
    const files = await createLocalFiles(folder)
    expect(await readdir(join(folder, 'incoming'))).toEqual(['current'])
    expect(await Array.fromAsync(files.list())).toEqual([])
  } finally {
    await rm(folder, { recursive: true })
  }
})
