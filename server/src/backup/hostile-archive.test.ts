import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { knownSteps } from '#db/migrate.ts'
import { restore } from './restore.ts'
import { writeArchive } from './write-archive.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-hostile-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Whole in itself, with a manifest that fits: somebody made it so. */
const archiveWith = async (name: string, content: string, tables: string[] = []): Promise<string> => {
  const path = join(folder, 'archive')
  const head = { madeAt: 0, app: '0', database: 'sqlite' as const, steps: [...knownSteps] }
  await writeArchive({ path, passphrase: null }, head, async (archive) => {
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
  return path
}

describe('an archive that somebody made to do harm', () => {
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
    ['records/settings', '["a","b",1]\n', []],
    ['secrets.json', '{"not":"secrets"}', []],
  ] as const)('is refused: %s with %s', async (name, content, tables) => {
    const place = join(folder, 'one', 'two', 'place')
    await mkdir(place, { recursive: true })
    const witnesses = [join(folder, 'witness'), join(folder, 'one', 'witness'), join(place, '..', 'witness')]
    for (const witness of witnesses) await writeFile(witness, 'untouched')
    const restored = restore({
      path: await archiveWith(name, content, [...tables]),
      passphrase: null,
      folder: place,
      postgres: null,
      replaces: false,
      alsoStays: [],
      takesSecrets: true,
      now: () => 1,
    })
    await expect(restored).rejects.toThrow()
    expect(await readdir(place)).toEqual([])
    for (const witness of witnesses) expect(await readFile(witness, 'utf8')).toBe('untouched')
  })
})
