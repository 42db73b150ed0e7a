import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalArchives } from '#providers/archives/local.ts'
import { createLocalFiles } from '#providers/files/local.ts'
import { type MigratedDatabase, openMigratedDatabase } from '#testing/migrated-database.ts'
import { ArchiveUnusable } from './archive-format.ts'
import { makeBackup } from './make-backup.ts'
import { readArchive } from './read-archive.ts'
import { restore } from './restore.ts'
import { seal, unseal } from './seal.ts'

const passphrase = 'lantern orchard 42'
const frameLength = 64 * 1024 + 16
const at = Date.UTC(2026, 10, 21)

let records: MigratedDatabase
let folder: string
let plain: Buffer
let sealed: Buffer

/** Text that hardly compresses, so that the archive has several frames. */
function noise(length: number): string {
  return Array.from({ length }, (_, i) => ((i * 2654435761) ^ (i << 7)).toString(36)).join(' ')
}

beforeAll(async () => {
  records = await openMigratedDatabase()
  folder = await mkdtemp(join(tmpdir(), 'lyceum-archive-'))
  const store = await createLocalFiles(join(folder, 'blobs'))
  const { db } = records
  const value = JSON.stringify({ fileKey: (await store.put(Readable.from([Buffer.from('a picture')]))).key })
  await db.insertInto('settings').values({ key: 'dashboardBackground', value, updated_at: at }).execute()
  await db
    .insertInto('settings')
    .values({ key: 'long', value: JSON.stringify(noise(40_000)), updated_at: at })
    .execute()
  await db
    .insertInto('embeddings')
    .values({ model: 'm', text_hash: 'h', vector: Buffer.from([0, 1, 255]), created_at: at })
    .execute()
  async function make(name: string, secret: string | null): Promise<Buffer> {
    const request = { name, passphrase: secret, secretsFile: null, madeAt: at }
    await makeBackup(store, createLocalArchives(folder), { database: records.location, ...request })
    return readFile(join(folder, name))
  }
  plain = await make('plain', null)
  sealed = await make('sealed', passphrase)
})
afterAll(async () => {
  await records.close()
  await rm(folder, { recursive: true, force: true })
})

/** Asserts that verifying these bytes fails. */
async function expectReadRefused(bytes: Buffer, secret: string): Promise<void> {
  const path = join(folder, 'changed')
  await writeFile(path, bytes)
  await expect(readArchive(path, secret)).rejects.toBeInstanceOf(ArchiveUnusable)
}

/** Asserts that verifying and restoring both refuse these bytes and change nothing. Returns the message. */
async function expectRefused(bytes: Buffer, secret: string | null = null): Promise<string> {
  const path = join(folder, 'changed')
  await writeFile(path, bytes)
  const target = join(folder, 'target')
  await rm(target, { recursive: true, force: true })
  await mkdir(target)
  const verified = await readArchive(path, secret).then(
    () => null,
    (error: unknown) => error,
  )
  const restored = await restore({
    path,
    passphrase: secret,
    folder: target,
    postgres: null,
    bucket: null,
    shouldReplace: false,
    namesToKeep: [],
    restoresSecrets: true,
    now: () => at,
  }).then(
    () => null,
    (error: unknown) => error,
  )
  expect(verified, 'verified').toBeInstanceOf(ArchiveUnusable)
  expect(restored, 'restored').toBeInstanceOf(ArchiveUnusable)
  expect(await readdir(target)).toEqual([])
  return (verified as Error).message
}

interface TarEntry {
  name: string
  start: number
  content: number
  end: number
}

function entriesOf(tar: Buffer): TarEntry[] {
  const entries: TarEntry[] = []
  for (let start = 0; tar[start] !== 0; ) {
    const size = Number.parseInt(tar.toString('latin1', start + 124, start + 135), 8)
    const name = tar.toString('latin1', start, start + 100).replace(/\0.*/, '')
    const end = start + 512 + Math.ceil(size / 512) * 512
    entries.push({ name, start, content: start + 512 + Math.floor(size / 2), end })
    start = end
  }
  return entries
}

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

function hasSameContent(changed: Buffer, original: Buffer): boolean {
  try {
    return gunzipSync(changed).equals(gunzipSync(original))
  } catch {
    return false
  }
}

describe('an archive', () => {
  it('is read back completely, encrypted or not', async () => {
    for (const [name, secret] of [
      ['plain', null],
      ['sealed', passphrase],
    ] as const) {
      const manifest = await readArchive(join(folder, name), secret)
      expect(manifest).toMatchObject({ files: 1, missingFiles: [], madeAt: at })
      expect(manifest.tables.find((table) => table.name === 'settings')?.rows).toBe(2)
    }
  })

  it('is refused when one byte of any entry was changed', async () => {
    const tar = gunzipSync(plain)
    const entries = entriesOf(tar)
    expect(entries.map(({ name }) => name.split('/')[0])).toEqual(
      expect.arrayContaining(['head.json', 'records', 'files', 'manifest.json', 'manifest.sha256']),
    )
    for (const { start, content } of entries)
      for (const target of [start + 5, content]) await expectRefused(gzipSync(flipped(tar, target)))
  })

  it('is refused when it is truncated after any entry or lacks one', async () => {
    const tar = gunzipSync(plain)
    const entries = entriesOf(tar)
    for (const { start, end, name } of entries) {
      const rest = Buffer.alloc(1024)
      if (name !== 'manifest.sha256')
        await expectRefused(gzipSync(Buffer.concat([tar.subarray(0, end), rest])))
      await expectRefused(gzipSync(Buffer.concat([tar.subarray(0, start), tar.subarray(end)])))
    }
  })

  it('is refused when its file was changed or truncated anywhere', async () => {
    const steps = Array.from({ length: 24 }, (_, i) => 10 + Math.floor(((plain.length - 19) * i) / 23))
    for (const target of steps) {
      // The last byte of the compressed text may end with unused bits.
      if (!hasSameContent(flipped(plain, target), plain)) await expectRefused(flipped(plain, target))
      await expectRefused(plain.subarray(0, target))
    }
  })

  it('is refused without the passphrase and with a wrong one', async () => {
    expect(await expectRefused(sealed)).toMatch(/encrypted/)
    expect(await expectRefused(sealed, 'another passphrase')).toMatch(/passphrase is wrong/)
  })

  it('is refused when an encrypted frame was changed, removed or moved', async () => {
    const bodyStart = 24
    const frames = Math.ceil((sealed.length - bodyStart) / frameLength)
    expect(frames).toBeGreaterThan(2)
    function cut(n: number) {
      return sealed.subarray(bodyStart + n * frameLength, bodyStart + (n + 1) * frameLength)
    }
    const head = sealed.subarray(0, bodyStart)
    const all = Array.from({ length: frames }, (_, n) => cut(n))
    for (let n = 0; n < frames; n += 1) {
      await expectReadRefused(flipped(sealed, bodyStart + n * frameLength + 7), passphrase)
      await expectReadRefused(Buffer.concat([head, ...all.slice(0, n)]), passphrase)
      await expectReadRefused(Buffer.concat([head, ...all.toSpliced(n, 1)]), passphrase)
    }
    const [first, second, ...others] = all
    if (first && second) await expectReadRefused(Buffer.concat([head, second, first, ...others]), passphrase)
    await expectReadRefused(flipped(sealed, 9), passphrase)
  })

  it('is refused when it is not a backup', async () => {
    expect(await expectRefused(Buffer.from('hello'))).toMatch(/damaged/)
    expect(await expectRefused(Buffer.alloc(0))).toMatch(/damaged/)
    expect(await expectRefused(gzipSync(Buffer.from('hello')))).toMatch(/damaged|truncated/)
  })
})

describe('seal', () => {
  it.each([0, 65_536, 200_000])('encrypts and decrypts %i bytes', async (length) => {
    const content = Buffer.from(noise(length).slice(0, length))
    async function through(
      step: (source: AsyncIterable<Buffer>) => AsyncIterable<Buffer>,
      bytes: Buffer,
    ): Promise<Buffer> {
      return Buffer.concat(await Array.fromAsync(step(Readable.from([bytes]))))
    }
    const encrypted = await through(seal(passphrase), content)
    expect(await through(unseal(passphrase), encrypted)).toEqual(content)
  })
})
