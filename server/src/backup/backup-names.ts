const namePattern = /^lyceum-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})Z\.(tar\.gz|sealed)$/

/** The name contains the time in UTC, because copying a file can change its modification time. */
export function backupName(at: number, isEncrypted: boolean): string {
  const time = new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')
  return `lyceum-${time}Z.${isEncrypted ? 'sealed' : 'tar.gz'}`
}

/** The time in the name of a backup; null for other files. */
export function parseBackupTime(name: string): number | null {
  const [, day, hours, minutes, seconds] = namePattern.exec(name) ?? []
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`)
  return Number.isNaN(at) ? null : at
}

const hour = 3_600_000
const day = 24 * hour
const monday = 4 * day
/** How many hours, days and weeks keep their newest backup. Periods without a backup do not count. */
const periods = [
  { keep: 24, periodOf: (at: number) => Math.floor(at / hour) },
  { keep: 7, periodOf: (at: number) => Math.floor(at / day) },
  // 1970 began on a Thursday.
  { keep: 4, periodOf: (at: number) => Math.floor((at - monday) / (7 * day)) },
]

export function selectTimesToKeep(times: readonly number[]): Set<number> {
  const newestFirst = times.toSorted((a, b) => b - a)
  const kept = new Set<number>()
  for (const { keep, periodOf } of periods) {
    const seen = new Set<number>()
    for (const at of newestFirst) {
      if (seen.size === keep) break
      if (seen.has(periodOf(at))) continue
      seen.add(periodOf(at))
      kept.add(at)
    }
  }
  return kept
}
