import { existsSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/** Raised whenever what is stored changes its meaning: an older file is made anew. */
const layout = 1

const corrupt = 11
const notADatabase = 26

/**
 * Messages go by their number, titles by numbers below zero. Neither text nor places are kept: a text is found by what
 * it holds, and looked at in the records.
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

/** The index, with the records beside it to read from. Derived data may lose its last second to a power cut. */
function connect(path: string, recordsPath: string): DatabaseSync {
  const db = new DatabaseSync(path)
  try {
    db.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    db.exec('PRAGMA cache_size = -8000; PRAGMA temp_store = MEMORY')
    const records = pathToFileURL(recordsPath)
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

function openExisting(path: string, recordsPath: string): DatabaseSync | null {
  let db: DatabaseSync | null = null
  try {
    db = connect(path, recordsPath)
    if (isUsable(db)) return db
  } catch (error) {
    db?.close()
    if (!isCorruption(error)) throw error
    return null
  }
  db.close()
  return null
}

/** Opens the index; one that cannot be used is made anew. */
export function openIndexFile(path: string, recordsPath: string): DatabaseSync {
  const existing = openExisting(path, recordsPath)
  if (existing) return existing
  removeIndexFile(path)
  const db = connect(path, recordsPath)
  db.exec(`BEGIN; ${schema} COMMIT`)
  return db
}

/** How far an index has come; -1 where there is none, or none that is whole. */
export function progressOf(path: string): number {
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
    // The thread will see what is wrong with it.
    return -1
  }
}
