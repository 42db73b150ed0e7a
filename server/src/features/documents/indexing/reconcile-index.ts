import type { Deps } from '../../../deps.ts'
import { addStoredVectors } from './embed-build.ts'
import { listSpaces, readSpaces } from './embedding-spaces.ts'
import {
  type ActiveGeneration,
  findRecordedGenerations,
  listActiveGenerations,
  listPassages,
  readPassage,
} from './passage-store.ts'

const generationsPerPage = 500
const passagesPerBatch = 200

/** Adds an active build to the index again from stored passages and embeddings, without calling a model. */
async function restoreGeneration(deps: Deps, active: ActiveGeneration, signal: AbortSignal): Promise<void> {
  const spaces = listSpaces(await readSpaces(deps))
  for (let from = 0; ; ) {
    signal.throwIfAborted()
    const rows = await listPassages(deps.db, active.id, from, passagesPerBatch)
    const last = rows.at(-1)
    if (!last) return
    const passages = rows.map((row) => readPassage(row, active.title))
    await deps.passageIndex.add(
      { id: active.id, documentId: active.documentId, channelId: active.channelId },
      passages,
    )
    for (const { key } of spaces) await addStoredVectors(deps, key, passages)
    from = last.ordinal + 1
  }
}

/** Drops generations that are not in the database. Returns the passage counts of the known and of the dropped ones. */
async function dropUnknownAndCount(
  deps: Deps,
  signal: AbortSignal,
): Promise<{ known: Map<string, number>; dropped: Map<string, number> }> {
  const known = new Map<string, number>()
  const dropped = new Map<string, number>()
  for (let after = ''; ; ) {
    signal.throwIfAborted()
    const generations = await deps.passageIndex.generations(after, generationsPerPage)
    const last = generations.at(-1)
    if (!last) return { known, dropped }
    const recorded = await findRecordedGenerations(
      deps.db,
      generations.map(({ id }) => id),
    )
    const unknown = generations.filter(({ id }) => !recorded.has(id))
    if (unknown.length > 0) await deps.passageIndex.drop(unknown.map(({ id }) => id))
    for (const { id, passages } of generations) (recorded.has(id) ? known : dropped).set(id, passages)
    after = last.id
  }
}

/** Drops generations from the index that are not in the database. Returns how many passages each of them had. */
export async function dropUnknownGenerations(deps: Deps, signal: AbortSignal): Promise<Map<string, number>> {
  return (await dropUnknownAndCount(deps, signal)).dropped
}

/** Synchronizes the index with the database in both directions. Returns how many generations changed. */
export async function reconcileIndex(
  deps: Deps,
  signal: AbortSignal,
): Promise<{ added: number; dropped: number }> {
  const { known, dropped } = await dropUnknownAndCount(deps, signal)
  let added = 0
  for (let after = ''; ; ) {
    const page = await listActiveGenerations(deps.db, after, generationsPerPage)
    const last = page.at(-1)
    if (!last) return { added, dropped: dropped.size }
    for (const active of page) {
      if ((known.get(active.id) ?? 0) >= active.passages) continue
      await restoreGeneration(deps, active, signal)
      added += 1
    }
    after = last.documentId
  }
}
