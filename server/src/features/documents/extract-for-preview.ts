import { createTaskQueue } from '#lib/task-queue.ts'
import { createWaitingList } from '#lib/waiting-list.ts'
import { type Extraction, ExtractionError, TooSlowError } from '#providers/text-extraction/port.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { extractionMessages } from './indexing/index-reasons.ts'
import type { VersionRow } from './store.ts'

/** Previews share the quick lane with indexing and attached files. One at a time leaves every other turn to those. */
const runInTurn = createTaskQueue(
  1,
  createWaitingList({
    maxWaiting: 8,
    createRefusal: () => new AppError('server.busy', { retryAfter: 5 }),
  }),
)

function createUnreadableError(message: string, cause: Error): AppError {
  return new AppError('attachment.unreadable', { message, cause })
}

/** Reads the text of a version while the reviewer waits, so in the quick lane only. */
export function extractForPreview(
  { textExtractor, files }: Deps,
  { kind, file_key }: Pick<VersionRow, 'kind' | 'file_key'>,
): Promise<Extraction> {
  return runInTurn(async () => {
    try {
      return await textExtractor.extract({ kind, lane: 'quick', open: () => files.open(file_key) })
    } catch (error) {
      if (error instanceof TooSlowError)
        throw createUnreadableError('Reading this document takes too long for a preview.', error)
      if (error instanceof ExtractionError)
        throw createUnreadableError(extractionMessages[error.fault], error)
      throw error
    }
  })
}
