import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { FoundChat } from './port.ts'
import type { Candidate, MessageText, Shelf, ShelfFilters } from './shelf.ts'
import { indexForm } from './words.ts'

type Row = Record<string, unknown>

/** Each token is a word of its own to the index, never part of its query language. */
function matching(tokens: readonly string[]): string {
  return tokens.map((token) => `"${indexForm([token])}"`).join(' AND ')
}

const facts =
  'c.id AS id, c.created_at AS createdAt, c.updated_at AS updatedAt, c.message_count AS messageCount'
function chatOf(row: Row): FoundChat {
  return {
    id: String(row['id']),
    createdAt: Number(row['createdAt']),
    updatedAt: Number(row['updatedAt']),
    messageCount: Number(row['messageCount']),
  }
}

function conditions({ userId, channelId, chatId, from, to, memberId }: ShelfFilters) {
  const given: [string, SQLInputValue | undefined][] = [
    ['c.user_id = ?', userId],
    ['c.channel_id = ?', channelId],
    ['c.id = ?', chatId],
    ['c.created_at >= ?', from],
    ['c.created_at <= ?', to],
    [
      'EXISTS (SELECT 1 FROM records.channel_members o WHERE o.channel_id = c.channel_id AND o.user_id = ?)',
      memberId,
    ],
  ]
  const used = given.flatMap(([text, value]) => (value === undefined ? [] : [{ text, value }]))
  return {
    text: used.map(({ text }) => ` AND ${text}`).join(''),
    values: used.map(({ value }) => value),
  }
}

function list(values: readonly (string | number)[]): string {
  return JSON.stringify(values)
}

/** The index file with the records attached to it. */
export function createSqliteShelf(db: DatabaseSync, isBuilding: () => boolean): Shelf {
  const statements = new Map<string, StatementSync>()
  function all(sql: string, ...values: SQLInputValue[]): Row[] {
    const statement = statements.get(sql) ?? db.prepare(sql)
    statements.set(sql, statement)
    return statement.all(...values)
  }
  function candidates(rows: Row[]): Candidate[] {
    return rows.map((row) => ({ seq: Number(row['seq']), chatId: String(row['chatId']) }))
  }

  return {
    candidates: (tokens, before, limit) =>
      candidates(
        all(
          `SELECT w.rowid AS seq, coalesce(m.chat_id, '') AS chatId FROM words w
            LEFT JOIN records.messages m ON m.seq = w.rowid
            WHERE w.words MATCH ? AND w.rowid > 0 AND w.rowid < ? ORDER BY w.rowid DESC LIMIT ?`,
          matching(tokens),
          before,
          limit,
        ),
      ),
    texts: (seqs) =>
      all(
        `SELECT m.seq AS seq, m.id AS id, m.chat_id AS chatId, m.role AS role, m.content AS content,
          m.created_at AS createdAt FROM records.messages m
          WHERE m.seq IN (SELECT value FROM json_each(?)) AND m.state IS NOT 'streaming'`,
        list(seqs),
      ) as unknown as MessageText[],
    messagesOf: (chatId, before, limit) =>
      candidates(
        all(
          `SELECT seq, chat_id AS chatId FROM records.messages WHERE chat_id = ? AND seq < ?
            ORDER BY seq DESC LIMIT ?`,
          chatId,
          before,
          limit,
        ),
      ),
    chats: (ids, filters) => {
      const { text, values } = conditions(filters)
      return all(
        `SELECT ${facts} FROM records.chats c WHERE c.id IN (SELECT value FROM json_each(?))${text}`,
        list(ids),
        ...values,
      ).map(chatOf)
    },
    newestChats: (filters, before, limit) => {
      const { text, values } = conditions(filters)
      return all(
        `SELECT ${facts}, c.user_id AS userId FROM records.chats c WHERE c.created_at < ?${text}
          ORDER BY c.created_at DESC LIMIT ?`,
        before,
        ...values,
        limit,
      ).map((row) => ({ ...chatOf(row), userId: String(row['userId']) }))
    },
    titles: (tokens, filters, limit) => {
      const { text, values } = conditions(filters)
      return all(
        `SELECT ${facts}, c.title AS title FROM words w JOIN titles t ON t.number = w.rowid
          JOIN records.chats c ON c.id = t.chat_id
          WHERE w.words MATCH ? AND w.rowid < 0 AND c.title IS NOT NULL${text} ORDER BY w.rowid LIMIT ?`,
        matching(tokens),
        ...values,
        limit,
      ).map((row) => ({ ...chatOf(row), title: String(row['title']) }))
    },
    people: () =>
      all(
        "SELECT id, name, CASE WHEN deleted_at IS NULL THEN email ELSE '' END AS email FROM records.users",
      ) as unknown as {
        id: string
        name: string
        email: string
      }[],
    isBuilding,
  }
}
