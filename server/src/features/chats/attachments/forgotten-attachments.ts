import { scheduleFileDeletion } from '#files/store.ts'
import type { Deps } from '../../../deps.ts'
import { deleteForgottenAttachments } from './attachment-store.ts'

/** How long a file that is not sent is kept, in milliseconds. */
const unsentLifetime = 24 * 3_600_000
const filesPerBatch = 5

/** Deletes files that were uploaded a day ago and never sent. */
export async function removeForgottenAttachments(deps: Deps, signal: AbortSignal): Promise<void> {
  for (let removed = filesPerBatch; removed === filesPerBatch; ) {
    signal.throwIfAborted()
    removed = await deps.db.transaction().execute(async (tx) => {
      const files = await deleteForgottenAttachments(tx, deps.now() - unsentLifetime, filesPerBatch)
      await scheduleFileDeletion(tx, files, deps.now())
      return files.length
    })
  }
}
