import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLocalArchives } from '#providers/archives/local.ts'
import { writeArchive } from './write-archive.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-archive-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const head = { madeAt: 0, app: '0', database: 'sqlite', steps: [] } as const

it.each([null, 'lantern orchard 42'])(
  'leaves nothing behind when `fill` fails (passphrase: %s)',
  async (passphrase) => {
    const failing = writeArchive(
      { store: createLocalArchives(folder), name: 'archive', passphrase },
      { ...head, steps: [] },
      async (archive) => {
        await archive.add('records/one', Buffer.alloc(200_000, 'x'))
        throw new Error('the database was closed')
      },
    )
    await expect(failing).rejects.toThrow('the database was closed')
    expect(await readdir(folder)).toEqual([])
  },
)
