import { DatabaseInUse, lockDatabase } from '#db/database-lock.ts'
import { DataFolderInUse, lockDataFolder } from '../files/data-folder.ts'
import { CommandError } from './command.ts'

interface Installation {
  folder: string
  postgres: string | undefined
}

async function withLocks<R>({ folder, postgres }: Installation, work: () => Promise<R>): Promise<R> {
  const folderLock = lockDataFolder(folder)
  try {
    const databaseLock = await lockDatabase(postgres)
    try {
      return await work()
    } finally {
      await databaseLock.release()
    }
  } finally {
    folderLock.release()
  }
}

/**
 * Runs work while holding the locks that keep a server from starting. `task` completes the sentence "Stop it before you
 * …" in the refusal.
 */
export async function withoutServer<R>(
  installation: Installation,
  task: string,
  work: () => Promise<R>,
): Promise<R> {
  try {
    return await withLocks(installation, work)
  } catch (error) {
    if (error instanceof DataFolderInUse)
      throw new CommandError(
        `A Lyceum server is running on ${installation.folder}. Stop it before you ${task}.`,
      )
    if (error instanceof DatabaseInUse)
      throw new CommandError(`A Lyceum server is using this database. Stop it before you ${task}.`)
    throw error
  }
}
