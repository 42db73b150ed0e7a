import type { DatabaseSync } from 'node:sqlite'
import { encodeTokens, scopeToken, tokenize } from './tokens.ts'

/** Milliseconds per step, so that a search never waits long for the thread. */
const stepTime = 40
const rowsPerRead = 50

export interface Progress {
  /** The last change that is indexed. */
  position: number
  /** Whether more work is waiting. */
  isBehind: boolean
}

type Row = Record<string, unknown>

/**
 * Brings the index up to date with the main database. A new index is built from all messages, newest first, and all
 * titles. Changes are read from `message_changes`; the server deletes those that are indexed.
 */
export function createIndexWriter(db: DatabaseSync) {
  const removeWords = db.prepare('DELETE FROM words WHERE rowid = ?')
  const addWords = db.prepare('INSERT INTO words (rowid, tokens) VALUES (?, ?)')
  const readProgress = db.prepare('SELECT value FROM progress WHERE key = ?')
  const saveProgress = db.prepare('INSERT OR REPLACE INTO progress VALUES (?, ?)')
  const changeRange = db.prepare(`SELECT
      (SELECT min(n) FROM records.message_changes) AS first,
      coalesce((SELECT seq FROM records.sqlite_sequence WHERE name = 'message_changes'), 0) AS last`)
  const changes = db.prepare(
    `SELECT n, message_seq, chat_id FROM records.message_changes WHERE n > ? ORDER BY n LIMIT ${rowsPerRead}`,
  )
  const columns = 'm.seq, m.content, c.user_id, c.channel_id'
  const settled = `FROM records.messages m JOIN records.chats c ON c.id = m.chat_id WHERE m.state IS NOT 'streaming'`
  const message = db.prepare(`SELECT ${columns} ${settled} AND m.seq = ?`)
  const before = db.prepare(
    `SELECT ${columns} ${settled} AND m.seq < ? ORDER BY m.seq DESC LIMIT ${rowsPerRead}`,
  )
  const newest = db.prepare('SELECT coalesce(max(seq), 0) + 1 AS next FROM records.messages')
  const chat = db.prepare('SELECT id, title, user_id, channel_id FROM records.chats WHERE id = ?')
  const titled = db.prepare(
    `SELECT id FROM records.chats WHERE title IS NOT NULL AND id > ? ORDER BY id LIMIT ?`,
  )
  const titleNumber = db.prepare('SELECT number FROM titles WHERE chat_id = ?')
  const addTitle = db.prepare(
    'INSERT INTO titles (number, chat_id) VALUES ((SELECT coalesce(min(number), 0) - 1 FROM titles), ?) RETURNING number',
  )
  const removeTitle = db.prepare('DELETE FROM titles WHERE number = ?')

  function progress(key: string): number | null {
    const value = readProgress.get(key)?.['value']
    return typeof value === 'number' ? value : null
  }

  function write(number: number, text: string, row: Row): void {
    const scopes = [row['user_id'], row['channel_id']].map((id) => scopeToken(String(id)))
    addWords.run(number, encodeTokens([...tokenize(text), ...scopes]))
  }

  function indexMessage(seq: number): void {
    removeWords.run(seq)
    const row = message.get(seq)
    if (row) write(seq, String(row['content']), row)
  }

  function indexTitle(chatId: string): void {
    const known = titleNumber.get(chatId)?.['number']
    if (typeof known === 'number') {
      removeWords.run(known)
      removeTitle.run(known)
    }
    const row = chat.get(chatId)
    if (!row || row['title'] === null) return
    write(Number(addTitle.get(chatId)?.['number']), String(row['title']), row)
  }

  /** True if the database or this index was restored from a backup, so that the changes in between are unknown. */
  function hasMissedChanges(position: number): boolean {
    const range = changeRange.get()
    const [first, last] = [range?.['first'], Number(range?.['last'])]
    return position > last || (typeof first === 'number' ? first > position + 1 : last > position)
  }

  function startBuild(): void {
    db.exec(`INSERT INTO words (words) VALUES ('delete-all'); DELETE FROM titles`)
    saveProgress.run('position', Number(changeRange.get()?.['last']))
    saveProgress.run('messages', Number(newest.get()?.['next']))
    saveProgress.run('titles', 1)
  }

  /** Indexes all titles in one step: they are short, and few compared with messages. */
  function buildTitles(): void {
    for (let after = ''; ; ) {
      const rows = titled.all(after, 500)
      for (const row of rows) indexTitle(String(row['id']))
      const last = rows.at(-1)
      if (!last) break
      after = String(last['id'])
    }
    saveProgress.run('titles', 0)
  }

  function buildMessages(next: number, until: number): void {
    let below = next
    const rows: Row[] = []
    let size = 0
    while (below > 0 && size < buildSize && performance.now() < until) {
      const read = before.all(below)
      for (const row of read) size += String(row['content']).length
      rows.push(...read)
      below = read.length < rowsPerRead ? 0 : Number(read.at(-1)?.['seq'])
    }
    // FTS5 inserts ascending row ids much faster than descending ones.
    for (const row of rows.reverse()) write(Number(row['seq']), String(row['content']), row)
    saveProgress.run('messages', below)
  }

  function indexChanges(from: number, until: number): { position: number; isBehind: boolean } {
    let position = from
    for (;;) {
      const rows = changes.all(position)
      for (const row of rows) {
        if (row['message_seq'] === null) indexTitle(String(row['chat_id']))
        else indexMessage(Number(row['message_seq']))
        position = Number(row['n'])
        if (performance.now() > until) break
      }
      const isBehind = rows.length > 0 && performance.now() > until
      if (rows.length < rowsPerRead || isBehind) {
        saveProgress.run('position', position)
        return { position, isBehind }
      }
    }
  }

  function step(): Progress {
    const until = performance.now() + stepTime
    const known = progress('position')
    if (known === null || hasMissedChanges(known)) startBuild()
    const { position, isBehind } = indexChanges(progress('position') ?? 0, until)
    if (progress('titles') === 1) buildTitles()
    const next = progress('messages') ?? 0
    if (next > 0 && !isBehind) buildMessages(next, until)
    return { position, isBehind: isBehind || (progress('messages') ?? 0) > 0 }
  }

  return {
    isBuilding: (): boolean => progress('messages') !== 0,
    /** Works for about `stepTime` and commits. */
    step(): Progress {
      db.exec('BEGIN')
      try {
        const result = step()
        db.exec('COMMIT')
        return result
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK')
        throw error
      }
    },
  }
}

/** The number of characters to read before writing, while the index is built. */
const buildSize = 200_000
