import { statfs } from 'node:fs/promises'
import { reserveOf } from '#files/disk-space.ts'
import type { Deps } from '../../../deps.ts'
import { countAnswering, sumOfFiles } from '../storage-store.ts'

export interface IndexStatus {
  passages: number
  /** Documents the index holds, and those it should. */
  indexed: number
  answering: number
  withoutVectors: number
}

export async function readIndexStatus({
  db,
  passageIndex,
}: Pick<Deps, 'db' | 'passageIndex'>): Promise<IndexStatus> {
  const { generations, passages, withoutVectors } = await passageIndex.size()
  return { passages, indexed: generations, answering: await countAnswering(db), withoutVectors }
}

export interface DiskStatus {
  /** Of documents; pictures are few. */
  files: number
  free: number
  /** With less than this uploads are refused. */
  reserve: number
}

export async function readDiskStatus({ db, env }: Pick<Deps, 'db' | 'env'>): Promise<DiskStatus> {
  const { bavail, blocks, bsize } = await statfs(env.DATA_DIR)
  return { files: await sumOfFiles(db), free: bavail * bsize, reserve: reserveOf(blocks * bsize) }
}
