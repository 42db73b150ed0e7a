import { describe, expect, it } from 'vitest'
import { backupName, parseBackupTime, selectTimesToKeep } from './backup-names.ts'

const hour = 3_600_000
const day = 24 * hour
const now = Date.UTC(2026, 10, 20, 12)

describe('backupName', () => {
  it('contains the time of the backup', () => {
    expect(backupName(now, false)).toBe('lyceum-2026-11-20T12-00-00Z.tar.gz')
    expect(parseBackupTime(backupName(now, true))).toBe(now)
  })

  it.each([
    'notes.txt',
    'lyceum-2026-11-20T12-00-00Z.tar.gz.12.partial',
    'lyceum-2026-99-20T12-00-00Z.sealed',
  ])('is not recognized in the file name %s', (name) => expect(parseBackupTime(name)).toBeNull())
})

describe('selectTimesToKeep', () => {
  it('keeps the newest backup of each of 24 hours, 7 days and 4 weeks', () => {
    const times = Array.from({ length: 60 * 24 * 2 }, (_, i) => now - (i * hour) / 2)
    const kept = [...selectTimesToKeep(times)].toSorted((a, b) => b - a)
    expect(kept.slice(0, 24)).toEqual([
      now,
      ...Array.from({ length: 23 }, (_, i) => now - i * hour - hour / 2),
    ])
    const days = new Set(kept.map((at) => Math.floor(at / day)))
    expect(days.has(Math.floor(now / day) - 6)).toBe(true)
    // The oldest one kept is the last of the week three weeks ago, because the current week is the first of four.
    expect(kept.at(-1)).toBe(Date.UTC(2026, 10, 1, 23, 30))
    expect(kept.length).toBeLessThanOrEqual(35)
  })

  it('keeps the only backup, however old', () => {
    expect([...selectTimesToKeep([5])]).toEqual([5])
  })

  it('selects the same times when it runs again on its result', () => {
    const times = Array.from({ length: 400 }, (_, i) => now - i * 5 * hour)
    const once = selectTimesToKeep(times)
    expect(selectTimesToKeep([...once])).toEqual(once)
  })
})
