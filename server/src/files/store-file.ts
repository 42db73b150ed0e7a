import type { Readable } from 'node:stream'
import type { StoredFile } from '#providers/files/port.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'

/** A completely received file, stored temporarily while the request is handled. */
export interface ReceivedFile {
  path: string
  name: string
  size: number
}

export async function storeFile(deps: Deps, content: Readable): Promise<StoredFile> {
  try {
    return await deps.files.put(content)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
      throw new AppError('storage.full', { cause: error })
    throw error
  }
}
