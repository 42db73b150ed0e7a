import type { Deps } from '../../../deps.ts'
import { countAnsweringDocuments, countFailedDocuments, sumFileSizes } from '../storage-store.ts'
import { completeVectors } from './complete-vectors.ts'

export interface IndexStatus {
  passages: number
  /** Documents in the index. Fewer than `answering` while the index is incomplete. */
  indexed: number
  answering: number
  withoutVectors: number
}

export async function readIndexStatus({
  db,
  passageIndex,
}: Pick<Deps, 'db' | 'passageIndex'>): Promise<IndexStatus> {
  const { generations, passages, withoutVectors } = await passageIndex.size()
  return { passages, indexed: generations, answering: await countAnsweringDocuments(db), withoutVectors }
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

/** Returns whether vectors of documents are still being added. */
export async function areVectorsPending({ jobs }: Pick<Deps, 'jobs'>): Promise<boolean> {
  return (await jobs.countByName(completeVectors.name)).pending > 0
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
