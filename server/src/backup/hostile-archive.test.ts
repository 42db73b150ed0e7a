import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { knownMigrations } from '#db/migrate.ts'
import { createLocalArchives } from '#providers/archives/local.ts'
import { SecretsError } from '../keys/key-file.ts'
import { ArchiveUnusable } from './archive-format.ts'
import { describeFailure } from './describe-failure.ts'
import { type RestoreRequest, restore } from './restore.ts'
import { writeArchive } from './write-archive.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-hostile-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A consistent archive with a matching manifest, but with content that we would never write. */
async function archiveWith(name: string, content: string, tables: string[] = []): Promise<string> {
  const target = { store: createLocalArchives(folder), name: 'archive', passphrase: null }
  const head = { madeAt: 0, app: '0', database: 'sqlite' as const, steps: [...knownMigrations] }
  await writeArchive(target, head, async (archive) => {
    await archive.add(name, Buffer.from(content))
    return {
      tables: tables.map((table) => ({
        name: table,
        columns: ['key', 'value', 'updated_at'],
        byteColumns: [],
        rows: 1,
      })),
      files: 0,
      fileBytes: 0,
      missingFiles: [],
      changedFiles: [],
    }
  })
  return join(folder, 'archive')
}

function restoreInto(target: string, path: string, more: Partial<RestoreRequest> = {}) {
  return restore({
    path,
    passphrase: null,
    folder: target,
    postgres: null,
    bucket: null,
    shouldReplace: false,
    namesToKeep: [],
    restoresSecrets: true,
    now: () => Date.UTC(2026, 10, 21),
    ...more,
  })
}

/** An archive with exactly these entries. */
async function tarOf(entries: [{ name: string; type?: 'symlink'; linkname?: string }, string][]) {
  const tar = pack()
  for (const [header, content] of entries) tar.entry(header, content)
  tar.finalize()
  const path = join(folder, 'tar')
  await writeFile(path, gzipSync(await buffer(tar as unknown as AsyncIterable<Buffer>)))
  return path
}

describe('a malicious archive', () => {
  it.each([
    ['files/../../../witness', 'harm', []],
    ['files/../../witness', 'harm', []],
    ['files//etc/witness', 'harm', []],
    ['files/', 'harm', []],
    ['../witness', 'harm', []],
    ['/tmp/witness', 'harm', []],
    ['witness', 'harm', []],
    ['records/kysely_migration/1.jsonl', '["a","b",1]\n', ['kysely_migration']],
    ['records/sqlite_master/1.jsonl', '["a","b",1]\n', ['sqlite_master']],
    ['records/sessions/1.jsonl', '["a","b",1]\n', ['sessions']],
    ['records/settings/1.jsonl', '[{"a":1},"b",1]\n', ['settings']],
    ['records/settings/1.jsonl', '["a","b"]\n', ['settings']],
    ['records/settings/1.jsonl', '["a","b",1]', ['settings']],
    ['records/settings/1.jsonl', '["a","b",1]\n["c","d",1]\n', ['settings']],
    ['records/settings', '["a","b",1]\n', []],
    ['secrets.json', '{"not":"secrets"}', []],
    ['secrets.json', 'x'.repeat(100_000), []],
  ] as const)(
    'is refused with a one-sentence error: an entry %s that contains %s',
    async (name, content, tables) => {
      const targetFolder = join(folder, 'one', 'two', 'place')
      await mkdir(targetFolder, { recursive: true })
      const witnesses = [
        join(folder, 'witness'),
        join(folder, 'one', 'witness'),
        join(targetFolder, '..', 'witness'),
      ]
      for (const witness of witnesses) await writeFile(witness, 'untouched')
      const refusal: unknown = await restoreInto(
        targetFolder,
        await archiveWith(name, content, [...tables]),
      ).catch((error: unknown) => error)
      expect([ArchiveUnusable, SecretsError]).toContain((refusal as Error).constructor)
      expect(describeFailure(refusal)).not.toContain('\n')
      expect(await readdir(targetFolder)).toEqual([])
      for (const witness of witnesses) expect(await readFile(witness, 'utf8')).toBe('untouched')
    },
  )

  const head = { format: 'lyceum-backup', version: 1, madeAt: 1, app: '0', database: 'sqlite', steps: [] }

  it('is refused when an entry is a link', async () => {
    const target = join(folder, 'place')
    await mkdir(target)
    const link = { name: `files/${'a'.repeat(40)}`, type: 'symlink', linkname: '/etc/passwd' } as const
    const path = await tarOf([
      [{ name: 'head.json' }, JSON.stringify(head)],
      [link, ''],
    ])
    await expect(restoreInto(target, path)).rejects.toThrow('is not a file')
    expect(await readdir(target)).toEqual([])
  })

  it('is reported as made by a newer version, even if its head has an unknown format', async () => {
    const newer = { ...head, version: 2, app: '9.1', database: 'another', steps: 'elsewhere' }
    const path = await tarOf([[{ name: 'head.json' }, JSON.stringify(newer)]])
    await expect(restoreInto(folder, path)).rejects.toThrow(/newer version of Lyceum \(9\.1\)/)
  })
})

describe('a restore', () => {
  let target: string
  let path: string
  beforeEach(async () => {
    target = join(folder, 'place')
    await mkdir(target)
    path = await archiveWith('records/settings/1.jsonl', '["a","1",1]\n', ['settings'])
  })

  it.each(['blobs', 'restoring', 'lyceum.db-old'])(
    'refuses a backup inside %s, and keeps it',
    async (name) => {
      const inside = join(target, name, 'mine.tar.gz')
      await mkdir(join(target, name))
      await copyFile(path, inside)
      const refused = restoreInto(target, inside, { shouldReplace: true, namesToKeep: [name] })
      await expect(refused).rejects.toThrow(/Move it elsewhere first/)
      expect(await readFile(inside)).toEqual(await readFile(path))
    },
  )

  it('keeps the old content of each of two restores within one second', async () => {
    await writeFile(join(target, 'lyceum.db'), 'the first')
    await restoreInto(target, path, { shouldReplace: true })
    await writeFile(join(target, 'lyceum.db'), 'the second')
    await restoreInto(target, path, { shouldReplace: true })
    const asides = (await readdir(target)).filter((name) => name.startsWith('before-restore-'))
    const kept = await Promise.all(
      asides.toSorted().map((name) => readFile(join(target, name, 'lyceum.db'), 'utf8')),
    )
    expect(kept).toEqual(['the first', 'the second'])
  })

  it('leaves nothing behind when it cannot be audited', async () => {
    const now = vi.fn(() => Date.UTC(2026, 10, 21))
    const failing = restoreInto(target, path, {
      now: () => {
        // The clock is read for the folder name, for expiring invitations, and then for the audit entry.
        if (now.mock.calls.length === 2) throw new Error('disk full')
        return now()
      },
    })
    await expect(failing).rejects.toThrow('disk full')
    expect(await readdir(target)).toEqual([])
  })
})
