import { existsSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { allowsPrograms, withMemoryFolder } from './memory-folder.ts'

afterEach(() => vi.unstubAllEnvs())

describe('the folder in memory', () => {
  it.each([
    ['tmpfs /dev/shm tmpfs rw,relatime,size=24683656k 0 0', true],
    ['shm /dev/shm tmpfs rw,nosuid,nodev,noexec,relatime,size=65536k 0 0', false],
    ['tmpfs /dev/shm2 tmpfs rw 0 0', false],
    ['', false],
  ])('needs a place where programs may run: %s', (line, expected) => {
    expect(allowsPrograms(`/dev/vda / ext4 rw,relatime 0 0\n${line}\n`)).toBe(expected)
  })

  it('is not used if TMPDIR names another folder', async () => {
    vi.stubEnv('TMPDIR', '/elsewhere')
    expect(await withMemoryFolder(async (env) => env)).toEqual({})
  })

  it('is removed when the run ends, also with an error', async () => {
    vi.stubEnv('TMPDIR', undefined)
    let folder: string | undefined
    const run = withMemoryFolder(async ({ TMPDIR }) => {
      folder = TMPDIR
      // A machine without enough memory uses the disk.
      expect(existsSync(TMPDIR ?? '/')).toBe(true)
      throw new Error('stopped')
    })
    await expect(run).rejects.toThrow('stopped')
    if (folder !== undefined) expect(existsSync(folder)).toBe(false)
  })
})
