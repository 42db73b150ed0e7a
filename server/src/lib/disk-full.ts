const sqliteFull = 13
/** SQLite could not extend the memory that its connections share. */
const sqliteSharedMemory = 4874
const postgresFull = '53100'

/** Whether the error, or one that caused it, says that a disk has no space left. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as { code?: string; errcode?: number }
  return (
    code === 'ENOSPC' ||
    code === 'EDQUOT' ||
    code === postgresFull ||
    errcode === sqliteFull ||
    errcode === sqliteSharedMemory ||
    // An error from a worker thread arrives without its codes.
    error.message === 'database or disk is full' ||
    isDiskFull(error.cause)
  )
}

/** Runs `write` once more if the disk was full and `makeRoom` freed some space. */
export async function retryWithRoom<T>(makeRoom: () => boolean, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isDiskFull(error) || !makeRoom()) throw error
    return await write()
  }
}
