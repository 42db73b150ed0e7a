import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { FoundChat } from './port.ts'
import {
  type Candidate,
  type MessageText,
  type RecordFilters,
  type SearchRecords,
  visitorsMaximum,
} from './search-records.ts'
import { encodeTokens } from './tokens.ts'

type Row = Record<string, unknown>

/** Quotes each token, so that SQLite does not parse it as query syntax. */
function toMatchQuery(tokens: readonly string[]): string {
  return tokens.map((token) => `"${encodeTokens([token])}"`).join(' AND ')
}

const chatColumns =
  'c.id AS id, c.created_at AS createdAt, c.updated_at AS updatedAt, c.message_count AS messageCount'
function toChat(row: Row): FoundChat {
  return {
    id: String(row['id']),
    createdAt: Number(row['createdAt']),
    updatedAt: Number(row['updatedAt']),
    messageCount: Number(row['messageCount']),
  }
}

function buildConditions({ userId, channelId, chatId, from, to, memberId }: RecordFilters) {
  const conditions: [string, SQLInputValue | undefined][] = [
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
  const used = conditions.flatMap(([text, value]) => (value === undefined ? [] : [{ text, value }]))
  return {
    text: used.map(({ text }) => ` AND ${text}`).join(''),
    values: used.map(({ value }) => value),
  }
}

function toJsonList(values: readonly (string | number)[]): string {
  return JSON.stringify(values)
}

/** `db` is the index file with the main database attached as `records`. */
export function createSqliteSearchRecords(db: DatabaseSync, isBuilding: () => boolean): SearchRecords {
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
    listCandidates: (tokens, before, limit) =>
      candidates(
        all(
          `SELECT w.rowid AS seq, coalesce(m.chat_id, '') AS chatId FROM words w
            LEFT JOIN records.messages m ON m.seq = w.rowid
            WHERE w.words MATCH ? AND w.rowid > 0 AND w.rowid < ? ORDER BY w.rowid DESC LIMIT ?`,
          toMatchQuery(tokens),
          before,
          limit,
        ),
      ),
    readTexts: (seqs) =>
      all(
        `SELECT m.seq AS seq, m.id AS id, m.chat_id AS chatId, m.role AS role, m.content AS content,
          m.created_at AS createdAt FROM records.messages m
          WHERE m.seq IN (SELECT value FROM json_each(?)) AND m.state IS NOT 'streaming'`,
        toJsonList(seqs),
      ) as unknown as MessageText[],
    listMessages: (chatId, before, limit) =>
      candidates(
        all(
          `SELECT seq, chat_id AS chatId FROM records.messages WHERE chat_id = ? AND seq < ?
            ORDER BY seq DESC LIMIT ?`,
          chatId,
          before,
          limit,
        ),
      ),
    filterChats: (ids, filters) => {
      const { text, values } = buildConditions(filters)
      return all(
        `SELECT ${chatColumns} FROM records.chats c WHERE c.id IN (SELECT value FROM json_each(?))${text}`,
        toJsonList(ids),
        ...values,
      ).map(toChat)
    },
    listNewestChats: (filters, before, limit) => {
      const { text, values } = buildConditions(filters)
      return all(
        `SELECT ${chatColumns}, c.user_id AS userId FROM records.chats c WHERE c.created_at < ?${text}
          ORDER BY c.created_at DESC LIMIT ?`,
        before,
        ...values,
        limit,
      ).map((row) => ({ ...toChat(row), userId: String(row['userId']) }))
    },
    listTitles: (tokens, filters, limit) => {
      // A title taken from the first question is found through that message.
      const ownWording = " AND coalesce(c.title_source, 'user') IN ('user', 'model')"
      const { text, values } = buildConditions(filters)
      return all(
        `SELECT ${chatColumns}, c.title AS title FROM words w JOIN titles t ON t.number = w.rowid
          JOIN records.chats c ON c.id = t.chat_id
          WHERE w.words MATCH ? AND w.rowid < 0 AND c.title IS NOT NULL${ownWording}${text} ORDER BY w.rowid LIMIT ?`,
        toMatchQuery(tokens),
        ...values,
        limit,
      ).map((row) => ({ ...toChat(row), title: String(row['title']) }))
    },
    listUsers: (visitorName) =>
      all(
        `SELECT id, name, CASE WHEN deleted_at IS NULL THEN email ELSE '' END AS email FROM records.users
          WHERE visitor_channel_id IS NULL
          UNION ALL SELECT * FROM (SELECT id, name, '' FROM records.users
            WHERE name = ? AND visitor_channel_id IS NOT NULL ORDER BY id DESC LIMIT ?)`,
        visitorName,
        visitorsMaximum,
      ) as unknown as {
        id: string
        name: string
        email: string
      }[],
    isBuilding,
  }
}
