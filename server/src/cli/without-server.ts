import { DatabaseInUse, lockDatabase } from '#db/database-lock.ts'
import { DataFolderInUse, holdDataFolder } from '../data-folder.ts'
import { Refused } from './command.ts'

interface Places {
  folder: string
  postgres: string | undefined
}

async function withPlacesLocked<R>({ folder, postgres }: Places, work: () => Promise<R>): Promise<R> {
  const held = holdDataFolder(folder)
  try {
    const lock = await lockDatabase(postgres)
    try {
      return await work()
    } finally {
      await lock.release()
    }
  } finally {
    held.release()
  }
}

/**
 * Runs work that no server may be running beside. `before` completes the sentence "stop it before …" in the refusal.
 */
export async function withoutServer<R>(places: Places, before: string, work: () => Promise<R>): Promise<R> {
  try {
    return await withPlacesLocked(places, work)
  } catch (error) {
    if (error instanceof DataFolderInUse)
      throw new Refused(`A Lyceum server is running on ${places.folder}: stop it before ${before}.`)
    if (error instanceof DatabaseInUse)
      throw new Refused(`A Lyceum server is using this database: stop it before ${before}.`)
    throw error
  }
}
