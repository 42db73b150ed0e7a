import { setImmediate } from 'node:timers/promises'
import { type AuditAction, areaOf } from '@lyceum/contract/audit'
import type { Db } from '#db/client.ts'
import { hashOf } from './append.ts'
import { type AuditRow, beginning, chainAfter, newestAnchor } from './store.ts'

const rowsPerStep = 1000
/** Entries whose time is over may be purged while the chain is walked: then it is walked again. */
const walks = 5

interface Fault {
  seq: number
  id: string
  at: number
  /** A sentence. */
  why: string
}

export interface Verdict {
  entries: number
  /** Of the newest entry; null in an empty log. */
  newestHash: string | null
  /** The first entry that does not fit. */
  fault: Fault | null
  /** Whether the hash that was asked for is that of one of the entries, or of the last one purged. */
  isExpectedFound: boolean
}

/** Somebody may have written over what the purge left: then the first entry does not fit. */
function anchorHash(anchor: string | null): string {
  if (anchor === null) return beginning
  try {
    return String((JSON.parse(anchor) as { hash?: unknown }).hash)
  } catch {
    return anchor
  }
}

function faultOf(row: AuditRow, previous: string, isFirst: boolean): string | null {
  if (row.previous_hash !== previous)
    return isFirst
      ? 'It does not follow on the beginning of the log, nor on what the last purge removed.'
      : 'It does not follow on the entry before it: one was removed, added or moved, or that one was changed together with its hash.'
  if (row.hash !== hashOf(row, row.previous_hash))
    return 'Its content is not what it was when it was entered.'
  if (row.area !== areaOf(row.action as AuditAction)) return 'It is filed under another area than its action.'
  return null
}

async function walk(db: Db, anchor: string | null, expected: string | null): Promise<Verdict> {
  const start = anchorHash(anchor)
  const verdict: Verdict = {
    entries: 0,
    newestHash: null,
    fault: null,
    isExpectedFound: expected === start,
  }
  let previous = start
  let seq = 0
  for (;;) {
    const rows = await chainAfter(db, seq, rowsPerStep)
    for (const row of rows) {
      const why = faultOf(row, previous, verdict.entries === 0)
      if (why !== null) return { ...verdict, fault: { seq: row.seq, id: row.id, at: row.at, why } }
      verdict.entries += 1
      verdict.newestHash = row.hash
      verdict.isExpectedFound ||= row.hash === expected
      previous = row.hash
      seq = row.seq
    }
    if (rows.length < rowsPerStep) return verdict
    await setImmediate()
  }
}

/** Walks the chain a step at a time, beside a running server. */
export async function verifyChain(db: Db, expected: string | null = null): Promise<Verdict> {
  for (let left = walks; ; left -= 1) {
    const anchor = await newestAnchor(db)
    const verdict = await walk(db, anchor, expected)
    if (verdict.fault === null || left <= 1 || (await newestAnchor(db)) === anchor) return verdict
  }
}
