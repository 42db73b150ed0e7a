import { statfs } from 'node:fs/promises'
import { reserveOf } from '#files/disk-space.ts'
import type { Deps } from '../../deps.ts'
import { countAnswering, sumOfFiles } from './index-standing-store.ts'

export interface IndexStanding {
  passages: number
  /** Documents the index holds, and those it should. */
  indexed: number
  answering: number
  withoutVectors: number
}

export async function indexStanding({
  db,
  passageIndex,
}: Pick<Deps, 'db' | 'passageIndex'>): Promise<IndexStanding> {
  const { generations, passages, withoutVectors } = await passageIndex.size()
  return { passages, indexed: generations, answering: await countAnswering(db), withoutVectors }
}

export interface DiskStanding {
  /** Of documents; pictures are few. */
  files: number
  free: number
  /** With less than this uploads are refused. */
  reserve: number
}

export async function diskStanding({ db, env }: Pick<Deps, 'db' | 'env'>): Promise<DiskStanding> {
  const { bavail, blocks, bsize } = await statfs(env.DATA_DIR)
  return { files: await sumOfFiles(db), free: bavail * bsize, reserve: reserveOf(blocks * bsize) }
}
