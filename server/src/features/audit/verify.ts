import { setImmediate } from 'node:timers/promises'
import { type AuditAction, getAuditArea } from '@lyceum/contract/audit'
import type { Db } from '#db/client.ts'
import { hashEntry } from './append.ts'
import { type AuditRow, findPurgeAnchor, genesisHash, listChainAfter } from './store.ts'

const rowsPerBatch = 1000
/** A purge during verification can look like a fault, so verification starts again, up to this many times. */
const maximumAttempts = 5

interface Fault {
  seq: number
  id: string
  at: number
  reason: string
}

export interface VerificationResult {
  entries: number
  /** Null when the log is empty. */
  newestHash: string | null
  /** The first entry that breaks the chain. */
  fault: Fault | null
  /** Whether the expected hash belongs to an entry or to the last purged entry. */
  isExpectedHashFound: boolean
}

/** If the purge record was tampered with, the result is a hash that the first entry cannot match. */
function parseAnchorHash(anchor: string | null): string {
  if (anchor === null) return genesisHash
  try {
    return String((JSON.parse(anchor) as { hash?: unknown }).hash)
  } catch {
    return anchor
  }
}

function findFault(row: AuditRow, previous: string, isFirst: boolean): string | null {
  if (row.previous_hash !== previous)
    return isFirst
      ? 'It is not linked to the beginning of the log or to the last purged entry.'
      : 'It is not linked to the previous entry: an entry was removed, added or moved, or the previous one was changed together with its hash.'
  if (row.hash !== hashEntry(row, row.previous_hash)) return 'Its content was changed after it was recorded.'
  if (row.area !== getAuditArea(row.action as AuditAction)) return 'Its area does not match its action.'
  return null
}

async function verifyOnce(
  db: Db,
  anchor: string | null,
  expectedHash: string | null,
): Promise<VerificationResult> {
  const start = parseAnchorHash(anchor)
  const result: VerificationResult = {
    entries: 0,
    newestHash: null,
    fault: null,
    isExpectedHashFound: expectedHash === start,
  }
  let previous = start
  let seq = 0
  for (;;) {
    const rows = await listChainAfter(db, seq, rowsPerBatch)
    for (const row of rows) {
      const reason = findFault(row, previous, result.entries === 0)
      if (reason !== null) return { ...result, fault: { seq: row.seq, id: row.id, at: row.at, reason } }
      result.entries += 1
      result.newestHash = row.hash
      result.isExpectedHashFound ||= row.hash === expectedHash
      previous = row.hash
      seq = row.seq
    }
    if (rows.length < rowsPerBatch) return result
    await setImmediate()
  }
}

/** Verifies the chain in batches, so that it can run while the server is in use. */
export async function verifyChain(db: Db, expectedHash: string | null = null): Promise<VerificationResult> {
  for (let attemptsLeft = maximumAttempts; ; attemptsLeft -= 1) {
    const anchor = await findPurgeAnchor(db)
    const result = await verifyOnce(db, anchor, expectedHash)
    if (result.fault === null || attemptsLeft <= 1 || (await findPurgeAnchor(db)) === anchor) return result
  }
}
