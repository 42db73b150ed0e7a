import { existsSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSmallDisk, type SmallDisk } from '#testing/small-disk.ts'
import { createDiskGuard, type DiskGuard } from './disk-guard.ts'
import { computeReserveSize, releaseReserve } from './reserve.ts'

const mebibyte = 1024 ** 2

let folder: string
let disk: SmallDisk
let guard: DiskGuard
let reusableBytes: number
let runsWhileFull: number
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-guard-'))
  disk = await createSmallDisk(folder, 40)
  reusableBytes = 0
  runsWhileFull = 0
  guard = createGuard(true)
})
afterEach(async () => {
  await guard.stop()
  disk.remove()
  await rm(folder, { recursive: true })
})

function createGuard(holdsFiles: boolean): DiskGuard {
  return createDiskGuard({
    folder: disk.path,
    holdsFiles,
    log: pino({ level: 'silent' }),
    countReusableBytes: async () => reusableBytes,
  })
}

function startGuard(): void {
  guard.start({
    whileFull: async () => {
      runsWhileFull += 1
    },
  })
}

function hasReserve(): boolean {
  return existsSync(join(disk.path, 'reserve'))
}

describe('computeReserveSize', () => {
  it('is 64 MiB, or a twentieth of a small disk', () => {
    expect(computeReserveSize(1024 ** 4)).toBe(64 * mebibyte)
    expect(computeReserveSize(100 * mebibyte)).toBe(5 * mebibyte)
  })
})

describe('the disk guard', () => {
  it('creates the reserve with its full size, private to its owner', async () => {
    startGuard()
    await expect.poll(hasReserve).toBe(true)
    const { size, blocks, mode } = statSync(join(disk.path, 'reserve'))
    expect([size, blocks * 512, mode & 0o777]).toEqual([2 * mebibyte, 2 * mebibyte, 0o600])
    await expect(guard.requireRoom()).resolves.toBeUndefined()
  })

  it('refuses content when hardly any space is left beside the reserve', async () => {
    startGuard()
    await expect.poll(hasReserve).toBe(true)
    disk.fill(mebibyte)
    await expect(guard.requireRoom()).resolves.toBeUndefined()
    disk.free()
    disk.fill(mebibyte / 4)
    await expect(guard.requireRoom()).rejects.toMatchObject({ code: 'storage.full' })
    expect(hasReserve()).toBe(true)
  })

  it('frees the reserve for failed writes, once', async () => {
    startGuard()
    await expect.poll(hasReserve).toBe(true)
    disk.fill()
    expect(releaseReserve(disk.path)).toBe(true)
    expect(disk.freeBytes()).toBe(2 * mebibyte)
    disk.fill()
    expect(releaseReserve(disk.path)).toBe(false)
  })

  it('runs the clean-up while the disk is full, and creates the reserve again when there is room', async () => {
    disk.fill()
    startGuard()
    await expect.poll(() => runsWhileFull).toBeGreaterThan(0)
    expect(hasReserve()).toBe(false)
    // Room for the reserve, but for little else.
    disk.free()
    disk.fill(2 * mebibyte)
    await expect(guard.requireRoom()).rejects.toMatchObject({ code: 'storage.full' })
    disk.free()
    await expect(guard.requireRoom()).resolves.toBeUndefined()
    await expect.poll(hasReserve).toBe(true)
  })

  it('accepts content without a reserve when the database has room inside its file', async () => {
    disk.fill()
    reusableBytes = 3 * mebibyte
    await expect(guard.requireRoom()).resolves.toBeUndefined()
    reusableBytes = mebibyte
    await expect(guard.requireRoom()).rejects.toMatchObject({ code: 'storage.full' })
  })
})

describe('requireFreeSpace', () => {
  it('keeps space for the database where files are stored on the disk', () => {
    expect(() => guard.requireFreeSpace(1)).toThrow(
      'The server does not have enough disk space to store this',
    )
  })

  it('keeps only the reserve where files pass through the disk', async () => {
    const passing = createGuard(false)
    const free = disk.freeBytes() - computeReserveSize(40 * mebibyte)
    passing.requireFreeSpace(free - mebibyte)
    expect(() => passing.requireFreeSpace(free + mebibyte)).toThrow('disk space')
    expect((await passing.read()).minimumFree).toBe(computeReserveSize(40 * mebibyte))
  })
})
