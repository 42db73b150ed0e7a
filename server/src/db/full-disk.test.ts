import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSmallDisk, type SmallDisk } from '#testing/small-disk.ts'

const script = fileURLToPath(new URL('../testing/write-on-full-disk.ts', import.meta.url))

let folder: string
let disk: SmallDisk
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lyceum-database-'))
  disk = await createSmallDisk(folder, 64)
})
afterEach(async () => {
  disk.remove()
  await rm(folder, { recursive: true })
})

function writeOnFullDisk(canMakeRoom: 'yes' | 'no') {
  const [program, ...args] = disk.run(process.execPath, script, disk.folder, canMakeRoom).command
  return JSON.parse(execFileSync(program, args, { encoding: 'utf8' }))
}

describe('SQLite on a full disk', () => {
  it('repeats a write or a whole transaction after room was made', () => {
    expect(writeOnFullDisk('yes')).toMatchObject({
      single: { outcome: 'written', timesAsked: 1 },
      transaction: { outcome: 'written', timesAsked: 1 },
      stored: ['a', 'b', 'c', 'd'],
    })
  })

  it('fails if no room can be made, and works once there is some', () => {
    expect(writeOnFullDisk('no')).toMatchObject({
      single: { outcome: 'full', timesAsked: 1 },
      transaction: { outcome: 'full', timesAsked: 1 },
      stored: ['d'],
    })
  })

  it('counts the room that deleted rows leave in the file', () => {
    expect(writeOnFullDisk('yes').reusableBytes).toBeGreaterThan(6_000_000)
  })
})
