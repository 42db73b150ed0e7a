import type { Deps } from '../../../deps.ts'
import type { EmbeddingSpace } from './embedding-spaces.ts'
import { embedPassages, findStoredEmbeddings } from './embeddings.ts'
import { type Build, findActiveBuild, listPassages, readPassage } from './passage-store.ts'

const passagesPerBatch = 200

/** Gives all passages of an active build their vectors in a space. Known vectors are not requested again. */
export async function embedBuild(
  deps: Deps,
  space: EmbeddingSpace,
  build: Pick<Build, 'documentId' | 'generation'>,
  signal: AbortSignal,
): Promise<void> {
  for (let from = 0; ; ) {
    signal.throwIfAborted()
    await deps.disk.requireRoom()
    // The document may have been deleted or indexed again meanwhile.
    const active = await findActiveBuild(deps.db, build)
    if (!active) return
    const rows = await listPassages(deps.db, build.generation, from, passagesPerBatch)
    const last = rows.at(-1)
    if (!last) return
    const passages = rows.map((row) => readPassage(row, active.title))
    const vectors = await embedPassages(deps, space, active.channel_id, passages, signal)
    await deps.passageIndex.addVectors(
      space.key,
      vectors.map((embedding, at) => ({ passageId: passages[at]?.id ?? '', embedding })),
    )
    deps.faults.reach('index.vectors')
    from = last.ordinal + 1
  }
}

/** Adds the known vectors of passages in a space. Returns whether some have none. */
export async function addStoredVectors(
  deps: Deps,
  spaceKey: string,
  passages: readonly { id: string; title: string; headingPath: readonly string[]; text: string }[],
): Promise<boolean> {
  const stored = await findStoredEmbeddings(deps, spaceKey, passages)
  const vectors = stored.flatMap((embedding, at) =>
    embedding ? [{ passageId: passages[at]?.id ?? '', embedding }] : [],
  )
  if (vectors.length > 0) await deps.passageIndex.addVectors(spaceKey, vectors)
  return vectors.length < passages.length
}
