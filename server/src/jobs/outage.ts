import { isDatabaseUnavailable } from '#db/database-unavailable.ts'
import { StorageUnavailable } from '#providers/files/port.ts'
import { SearchUnavailable } from '#providers/passage-index/port.ts'

/** Whether another server was away. A job that fails for this reason is repeated until that server is back. */
export function isOutage(error: unknown): boolean {
  return (
    isDatabaseUnavailable(error) || error instanceof StorageUnavailable || error instanceof SearchUnavailable
  )
}
