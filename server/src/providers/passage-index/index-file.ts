import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { getLoadablePath } from 'sqlite-vec'

/** Increase when the stored data changes meaning. Older files are recreated. */
const layout = 5

const corrupt = 11
const notADatabase = 26

/**
 * A passage's number is its generation's number times this constant plus a counter. The full-text index can then skip
 * other generations by the number alone, which halves the search time.
 */
export const numbersPerGeneration = 2 ** 20

const schema = `
  CREATE TABLE generations (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    document_id TEXT NOT NULL,
    channel_id TEXT NOT NULL,
    languages TEXT NOT NULL DEFAULT '[]'
  );
  CREATE INDEX generations_channel ON generations (channel_id);
  CREATE TABLE passages (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    generation INTEGER NOT NULL,
    terms BLOB NOT NULL
  );
  CREATE INDEX passages_generation ON passages (generation);
  CREATE VIRTUAL TABLE words USING fts5(scope, title, heading, body, content='', contentless_delete=1, tokenize='ascii');
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, 'row');
  CREATE TABLE spaces (number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);
  CREATE TABLE vector_signs (
    space INTEGER NOT NULL,
    dimensions INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    passage INTEGER NOT NULL,
    signs BLOB NOT NULL,
    PRIMARY KEY (space, dimensions, generation, passage)
  ) WITHOUT ROWID;
  CREATE TABLE vector_bytes (
    passage INTEGER NOT NULL,
    space INTEGER NOT NULL,
    dimensions INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (passage, space)
  );
  PRAGMA user_version = ${layout};
`

export function isCorruption(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
  return code === corrupt || code === notADatabase
}

function connect(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { allowExtension: true })
  try {
    db.loadExtension(getLoadablePath())
    db.enableLoadExtension(false)
    db.exec(
      'PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16000',
    )
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Returns whether the file has the current layout; false for an empty file. */
function isUsable(db: DatabaseSync): boolean {
  if (db.prepare('PRAGMA user_version').get()?.['user_version'] !== layout) return false
  db.prepare('SELECT count(*) FROM (SELECT 1 FROM generations LIMIT 1)').get()
  db.prepare('SELECT count(*) FROM (SELECT 1 FROM passages ORDER BY number DESC LIMIT 1)').get()
  db.prepare('SELECT count(*) FROM words WHERE words MATCH \'"none"\'').get()
  return true
}

export function removeIndexFile(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
}

function openExisting(path: string): DatabaseSync | null {
  let db: DatabaseSync | null = null
  try {
    db = connect(path)
    if (isUsable(db)) return db
  } catch (error) {
    db?.close()
    // A full disk or missing file permission is no reason to delete the index.
    if (!isCorruption(error)) throw error
    return null
  }
  db.close()
  return null
}

/** Opens the index file. `isNew` is true if there was none or it was unusable, so that the index is empty. */
export function openIndexFile(path: string): { db: DatabaseSync; isNew: boolean } {
  const existing = openExisting(path)
  if (existing) return { db: existing, isNew: false }
  removeIndexFile(path)
  const db = connect(path)
  db.exec('BEGIN IMMEDIATE')
  db.exec(schema)
  db.exec('COMMIT')
  return { db, isNew: true }
}
