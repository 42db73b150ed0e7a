import { isDatabaseUnavailable } from '#db/database-unavailable.ts'
import { TargetExists } from '#providers/archives/port.ts'
import { StorageUnavailable, StorageUnusable } from '#providers/files/port.ts'
import { AppError } from '../errors.ts'
import { ArchiveUnusable } from './archive-format.ts'
import { OperatorError } from './restore.ts'

const systemErrors: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full.',
  EDQUOT: 'The disk quota is used up.',
  EFBIG: 'The file exceeds the maximum file size.',
  EACCES: 'Permission to access the file or its folder was denied.',
  EPERM: 'Permission to access the file or its folder was denied.',
  EROFS: 'The disk is read-only.',
  ENOENT: 'The file does not exist.',
  EIO: 'The disk reported an error.',
}

/** Errors whose message is a sentence for the operator. */
const sentences = [OperatorError, TargetExists, StorageUnavailable, StorageUnusable]

/** Describes why a backup or a restore failed, in a sentence that an operator can act on. */
export function describeFailure(error: unknown): string {
  if (error instanceof ArchiveUnusable) return `The backup cannot be used: ${error.message}.`
  if (sentences.some((kind) => error instanceof kind)) return (error as Error).message
  if (error instanceof AppError) return `${error.message}.`
  const { code = '', message, path } = error as NodeJS.ErrnoException
  const known = systemErrors[code]
  if (known) return path ? `${known} (${path})` : known
  if (isDatabaseUnavailable(error)) return `The database cannot be reached: ${message}`
  return message || code || String(error)
}
