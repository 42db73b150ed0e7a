import { SearchUnavailable } from '#providers/passage-index/port.ts'
import type { Deps } from '../../../deps.ts'
import { countAnsweringDocuments, countFailedDocuments, sumFileSizes } from '../storage-store.ts'
import { type EmbeddingSpaces, readSpaces } from './embedding-spaces.ts'
import { listKeywordsOnlyBuilds } from './passage-store.ts'

export interface IndexStatus {
  passages: number
  /** Documents in the index. Fewer than `answering` while the index is incomplete. */
  indexed: number
  answering: number
}

export async function readIndexStatus({
  db,
  passageIndex,
}: Pick<Deps, 'db' | 'passageIndex'>): Promise<IndexStatus> {
  const { generations, passages } = await passageIndex.size(null)
  return { passages, indexed: generations, answering: await countAnsweringDocuments(db) }
}

export interface VectorStatus {
  /** All documents in the index. */
  documents: number
  /** Documents without vectors of the configured model. */
  withoutVectors: number
  /** The earlier model, which answers until all documents have vectors of the configured one. */
  earlier: { model: string | null } | null
}

function findEarlier({ assistant }: Deps, { current, isChanging }: EmbeddingSpaces): VectorStatus['earlier'] {
  if (!isChanging) return null
  const isOther = current?.embedder?.fingerprint !== assistant.embedder?.fingerprint
  return { model: isOther ? (current?.embedder?.model ?? null) : null }
}

/** The earlier embedding model, while documents get vectors of a new one. Asks no index. */
export async function readEarlierModel(deps: Deps): Promise<VectorStatus['earlier']> {
  return findEarlier(deps, await readSpaces(deps))
}

export async function readVectorStatus(deps: Deps): Promise<VectorStatus> {
  const spaces = await readSpaces(deps)
  const { current, next, isChanging } = spaces
  const space = isChanging ? next : current
  const { generations, withoutVectors } = await deps.passageIndex.size(space?.key ?? null)
  return {
    documents: generations,
    withoutVectors: isChanging && !next ? generations : withoutVectors,
    earlier: findEarlier(deps, spaces),
  }
}

/** The most documents that a list of those without vectors contains. */
const maxWithoutVectors = 500

/** The active builds without vectors of the configured model; null for all of them. */
export async function listGenerationsWithoutVectors(deps: Deps): Promise<string[] | null> {
  const { current, next, isChanging } = await readSpaces(deps)
  if (isChanging && !next) return null
  const space = isChanging ? next : current
  return space ? deps.passageIndex.generationsWithoutVectors(space.key, maxWithoutVectors) : []
}

/**
 * Counts documents whose vectors could not be added, up to `limit`. While the server fails, these are all that have none;
 * otherwise, some may only be waiting for their turn. None if there is no embedding model.
 */
export async function countWithoutVectors(deps: Deps, isFailing: boolean, limit: number): Promise<number> {
  if (!deps.assistant.embedder) return 0
  try {
    if (isFailing) return Math.min((await readVectorStatus(deps)).withoutVectors, limit)
  } catch (error) {
    // Status reports that the index is away.
    if (!(error instanceof SearchUnavailable)) throw error
  }
  return (await listKeywordsOnlyBuilds(deps.db, limit)).length
}

/** Counts approved documents that could not be indexed, up to `limit`, unless a new version waits for approval. */
export function countUnindexed({ db }: Pick<Deps, 'db'>, limit: number): Promise<number> {
  return countFailedDocuments(db, limit)
}

/** Throws if the index does not answer a search. */
export async function requireSearch({ passageIndex }: Pick<Deps, 'passageIndex'>): Promise<void> {
  const query = { channelId: 'none', generations: ['none'], text: 'lyceum', embedding: null, limit: 1 }
  await passageIndex.search(query)
}

export interface DiskStatus {
  /** Bytes of document files. Pictures are not counted, as there are few of them. */
  files: number
  free: number
  /** Uploads are rejected when fewer bytes than this would remain free. */
  minimumFree: number
  /** Messages are rejected too. */
  isFull: boolean
}

export async function readDiskStatus({ db, disk }: Pick<Deps, 'db' | 'disk'>): Promise<DiskStatus> {
  const { free, minimumFree, isFull } = await disk.read()
  return { files: await sumFileSizes(db), free, minimumFree, isFull }
}
