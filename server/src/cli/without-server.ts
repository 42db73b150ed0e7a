import { DatabaseInUse, lockDatabase } from '#db/database-lock.ts'
import { DataFolderInUse, lockDataFolder } from '../files/data-folder.ts'
import { CommandError } from './command.ts'

interface Installation {
  folder: string
  postgres: string | undefined
}

async function withFolderLock<R>(folder: string, work: () => Promise<R>): Promise<R> {
  const lock = lockDataFolder(folder)
  try {
    return await work()
  } finally {
    lock.release()
  }
}

async function withDatabaseLock<R>(
  postgres: string | undefined,
  isShared: boolean,
  work: () => Promise<R>,
): Promise<R> {
  const lock = await lockDatabase(postgres, { isShared })
  try {
    return await work()
  } finally {
    await lock.release()
  }
}

/** `task` completes the sentence "Stop it before you …". */
function describeInUse(error: unknown, task: string, folder = ''): unknown {
  if (error instanceof DataFolderInUse)
    return new CommandError(`A Lyceum server is running on ${folder}. Stop it before you ${task}.`)
  if (error instanceof DatabaseInUse)
    return new CommandError(`A Lyceum server is using this database. Stop it before you ${task}.`)
  return error
}

/** Runs work while holding the locks that keep a server from starting. */
export async function withoutServer<R>(
  { folder, postgres }: Installation,
  task: string,
  work: () => Promise<R>,
): Promise<R> {
  try {
    return await withFolderLock(folder, () => withDatabaseLock(postgres, false, work))
  } catch (error) {
    throw describeInUse(error, task, folder)
  }
}

/** Runs work while the servers of a cluster may use the database, and a single server cannot start. */
export async function besideCluster<R>(postgres: string, task: string, work: () => Promise<R>): Promise<R> {
  try {
    return await withDatabaseLock(postgres, true, work)
  } catch (error) {
    throw describeInUse(error, task)
  }
}
