import { isDatabaseUnavailable } from '#db/client.ts'
import { AppError } from '../errors.ts'
import { ArchiveUnusable } from './archive-format.ts'
import { OperatorError } from './restore.ts'
import { TargetExists } from './write-archive.ts'

const ofTheSystem: Readonly<Record<string, string>> = {
  ENOSPC: 'There is no room left on the disk.',
  EDQUOT: 'The quota of the disk is used up.',
  EFBIG: 'The file would become larger than may be.',
  EACCES: 'The rights on the file or its folder do not allow it.',
  EPERM: 'The rights on the file or its folder do not allow it.',
  EROFS: 'The disk can only be read.',
  ENOENT: 'There is no such file.',
  EIO: 'The disk has a fault.',
}

/** Why a backup or a restore failed, in a sentence an operator can act on. */
export function describeFailure(error: unknown): string {
  if (error instanceof ArchiveUnusable) return `The backup cannot be used: ${error.message}.`
  if (error instanceof OperatorError || error instanceof TargetExists) return error.message
  if (error instanceof AppError) return `${error.message}.`
  const { code = '', message, path } = error as NodeJS.ErrnoException
  const known = ofTheSystem[code]
  if (known) return path ? `${known} (${path})` : known
  if (isDatabaseUnavailable(error)) return `The database cannot be reached: ${message || code}`
  return message || code || String(error)
}
