import { existsSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/** Increase it when the meaning of the stored data changes. Files with another number are rebuilt. */
const layout = 1

const corrupt = 11
const notADatabase = 26

/**
 * Row ids: `seq` for messages, negative for titles. Stores no text or positions; hits are verified in the main database.
 */
const schema = `
  CREATE VIRTUAL TABLE words USING fts5(tokens, content='', contentless_delete=1, detail=none, tokenize='ascii');
  CREATE TABLE titles (number INTEGER PRIMARY KEY, chat_id TEXT NOT NULL UNIQUE);
  CREATE TABLE progress (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  PRAGMA user_version = ${layout};
`

export function isCorruption(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
  return code === corrupt || code === notADatabase
}

export function removeIndexFile(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
}

/**
 * Opens the index and attaches the main database for reading. `synchronous = NORMAL` may lose the last second of writes
 * in a power failure, which is acceptable because the index can be rebuilt.
 */
function connect(path: string, databasePath: string): DatabaseSync {
  const db = new DatabaseSync(path)
  try {
    db.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    db.exec('PRAGMA cache_size = -8000; PRAGMA temp_store = MEMORY')
    const records = pathToFileURL(databasePath)
    records.searchParams.set('mode', 'ro')
    db.prepare('ATTACH ? AS records').run(records.href)
    db.exec('PRAGMA records.cache_size = -8000')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function isUsable(db: DatabaseSync): boolean {
  if (db.prepare('PRAGMA main.user_version').get()?.['user_version'] !== layout) return false
  db.prepare(`SELECT rowid FROM words WHERE words MATCH '"none"' LIMIT 1`).get()
  db.prepare('SELECT key, value FROM progress').all()
  return true
}

function openExisting(path: string, databasePath: string): DatabaseSync | null {
  let db: DatabaseSync | null = null
  try {
    db = connect(path, databasePath)
    if (isUsable(db)) return db
  } catch (error) {
    db?.close()
    if (!isCorruption(error)) throw error
    return null
  }
  db.close()
  return null
}

/** Opens the index, and rebuilds it if it is unusable. */
export function openIndexFile(path: string, databasePath: string): DatabaseSync {
  const existing = openExisting(path, databasePath)
  if (existing) return existing
  removeIndexFile(path)
  const db = connect(path, databasePath)
  db.exec(`BEGIN; ${schema} COMMIT`)
  return db
}

/** The last change that is indexed; -1 if there is no complete index. */
export function readIndexPosition(path: string): number {
  if (!existsSync(path)) return -1
  try {
    const db = new DatabaseSync(path, { readOnly: true })
    try {
      const rows = db.prepare('SELECT key, value FROM progress').all()
      const values = new Map(rows.map(({ key, value }) => [key, Number(value)]))
      return values.get('messages') === 0 ? (values.get('position') ?? -1) : -1
    } finally {
      db.close()
    }
  } catch {
    // The search thread detects the problem and rebuilds the file.
    return -1
  }
}
