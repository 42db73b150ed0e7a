const corrupt = 11
const notADatabase = 26

/** Whether SQLite cannot read a file, because it is damaged or no database at all. */
export function isDamaged(error: unknown): boolean {
  const { code, errcode = 0 } = error as NodeJS.ErrnoException & { errcode?: number }
  // The lower byte is the primary code.
  return code === 'ERR_SQLITE_ERROR' && [corrupt, notADatabase].includes(errcode & 0xff)
}
