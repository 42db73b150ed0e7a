import { findUsedFiles } from '#files/store.ts'
import type { Actor } from '../../../actor.ts'
import type { Deps } from '../../../deps.ts'
import { auditAlone } from '../../audit/append.ts'
import { deleteBuild, findAbandonedBuilds } from './passage-store.ts'
import { dropUnknownGenerations } from './reconcile-index.ts'

/** Newer files may belong to an upload whose row is not committed yet. */
const minOrphanAgeMs = 3_600_000
const filesPerBatch = 500

interface RemovedFiles {
  files: number
  bytes: number
}

interface Candidate {
  key: string
  size: number
}

async function removeUnusedFiles(deps: Deps, candidates: readonly Candidate[]): Promise<RemovedFiles> {
  const used = await findUsedFiles(
    deps.db,
    candidates.map(({ key }) => key),
  )
  const removed: RemovedFiles = { files: 0, bytes: 0 }
  for (const { key, size } of candidates) {
    if (used.has(key)) continue
    await deps.files.remove(key)
    removed.files += 1
    removed.bytes += size
  }
  return removed
}

async function removeOrphanedFiles(deps: Deps): Promise<RemovedFiles> {
  const total: RemovedFiles = { files: 0, bytes: 0 }
  let candidates: Candidate[] = []
  async function flush(): Promise<void> {
    const { files, bytes } = await removeUnusedFiles(deps, candidates)
    total.files += files
    total.bytes += bytes
    candidates = []
  }
  for await (const { key, size, modifiedAt } of deps.files.list()) {
    if (deps.now() - modifiedAt < minOrphanAgeMs) continue
    candidates.push({ key, size })
    if (candidates.length >= filesPerBatch) await flush()
  }
  await flush()
  return total
}

async function removeOrphanedPassages(deps: Deps): Promise<number> {
  const removed = new Map<string, number>()
  for (const { generation, document_id, passages } of await findAbandonedBuilds(deps.db)) {
    const isDeleted = await deps.db.transaction().execute((tx) => deleteBuild(tx, document_id, generation))
    if (isDeleted) removed.set(generation, passages)
  }
  // The rows of abandoned builds are gone, so this also drops their generations from the index.
  const dropped = await dropUnknownGenerations(deps, new AbortController().signal)
  for (const [generation, passages] of dropped)
    removed.set(generation, Math.max(passages, removed.get(generation) ?? 0))
  return [...removed.values()].reduce((sum, passages) => sum + passages, 0)
}

function formatCount(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`
}

/** Removes passages and stored files that belong to no document. */
export async function cleanUpOrphans(deps: Deps, actor: Actor) {
  const passages = await removeOrphanedPassages(deps)
  const { files, bytes } = await removeOrphanedFiles(deps)
  const message = `Removed ${formatCount(passages, 'passage', 'passages')} and ${formatCount(files, 'file', 'files')} (${formatCount(bytes, 'byte', 'bytes')}) that belonged to no document`
  // Deleting files cannot be part of a transaction, so the audit entry follows it.
  await auditAlone(deps, { actor, action: 'document.orphans-removed', after: { passages, files, bytes } })
  return { message, passages, files, bytes }
}
