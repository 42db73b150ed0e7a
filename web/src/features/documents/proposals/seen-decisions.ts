import type { Proposal } from '@lyceum/contract/documents'
import { localStore } from '#lib/storage.ts'

/** Decisions that are older were probably seen in another browser. */
const maxAgeMs = 14 * 24 * 3_600_000
const maxStored = 200

function storageKey(userId: string): string {
  return `lyceum.seen-decisions.${userId}`
}

/** A second rejection, after the first was undone, is another decision. */
function getDecisionKey({ _id, status, decidedAt }: Proposal): string {
  return status === 'approved' ? _id : `${_id} ${decidedAt}`
}

/** Rejected, or approved and in use. */
function isSettled({ status, isInUse }: Proposal): boolean {
  return status === 'rejected' || (status === 'approved' && isInUse === true)
}

/** Whether its member can still be told something: it waits for a decision, or to be indexed. */
export function isUnsettled({ status, isInUse }: Proposal): boolean {
  return status === 'pending' || (status === 'approved' && isInUse === false)
}

function read(userId: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStore.read(storageKey(userId)) ?? '[]')
    return Array.isArray(stored) ? stored.filter((key) => typeof key === 'string') : []
  } catch {
    return []
  }
}

/** The recent decisions that the user has not seen in this browser. */
export function listUnseenDecisions(userId: string, proposals: readonly Proposal[], now: number): Proposal[] {
  const seen = new Set(read(userId))
  return proposals.filter((proposal) => {
    const isRecent = proposal.decidedAt !== null && now - Date.parse(proposal.decidedAt) < maxAgeMs
    return isRecent && isSettled(proposal) && !seen.has(getDecisionKey(proposal))
  })
}

export function rememberDecisions(userId: string, decisions: readonly Proposal[]): void {
  const keys = new Set([...read(userId), ...decisions.map(getDecisionKey)])
  localStore.write(storageKey(userId), JSON.stringify([...keys].slice(-maxStored)))
}
