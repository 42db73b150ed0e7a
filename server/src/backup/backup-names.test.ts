import { describe, expect, it } from 'vitest'
import { backupName, keptTimes, timeOf } from './backup-names.ts'

const hour = 3_600_000
const day = 24 * hour
const now = Date.UTC(2026, 10, 20, 12)

describe('the name of a backup', () => {
  it('says when it was made', () => {
    expect(backupName(now, false)).toBe('lyceum-2026-11-20T12-00-00Z.tar.gz')
    expect(timeOf(backupName(now, true))).toBe(now)
  })

  it.each([
    'notes.txt',
    'lyceum-2026-11-20T12-00-00Z.tar.gz.12.partial',
    'lyceum-2026-99-20T12-00-00Z.sealed',
  ])('is not %s', (name) => expect(timeOf(name)).toBeNull())
})

describe('keptTimes', () => {
  it('keeps the newest of 24 hours, 7 days and 4 weeks', () => {
    const times = Array.from({ length: 60 * 24 * 2 }, (_, i) => now - (i * hour) / 2)
    const kept = [...keptTimes(times)].toSorted((a, b) => b - a)
    expect(kept.slice(0, 24)).toEqual([
      now,
      ...Array.from({ length: 23 }, (_, i) => now - i * hour - hour / 2),
    ])
    const days = new Set(kept.map((at) => Math.floor(at / day)))
    expect(days.has(Math.floor(now / day) - 6)).toBe(true)
    // The ends of the four weeks, of which the present one is the first.
    expect(kept.at(-1)).toBe(Date.UTC(2026, 10, 1, 23, 30))
    expect(kept.length).toBeLessThanOrEqual(35)
  })

  it('never drops the only one, however old', () => {
    expect([...keptTimes([5])]).toEqual([5])
  })

  it('loses nothing that it kept when it is asked again', () => {
    const times = Array.from({ length: 400 }, (_, i) => now - i * 5 * hour)
    const once = keptTimes(times)
    expect(keptTimes([...once])).toEqual(once)
  })
})
