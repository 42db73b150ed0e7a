import { setImmediate } from 'node:timers/promises'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db, Tx } from '../client.ts'
import { lockName } from '../dialect.ts'
import { findChats, findOwn } from './find.ts'
import type { FoundChat, MessageSearch } from './port.ts'
import {
  type Candidate,
  type MessageText,
  type RecordFilters,
  type SearchRecords,
  type TitledChat,
  visitorsMaximum,
} from './search-records.ts'
import { scopeToken, tokenize } from './tokens.ts'

const pollInterval = 700
const changesPerBatch = 100
/** With more waiting changes than this, the index counts as being built. */
const buildingThreshold = 2000
/** Milliseconds of work before other requests get a turn. */
const sliceMs = 8

/** FNV-1a as a 32-bit signed integer. A collision only costs one extra message read. */
function hashToken(token: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < token.length; at += 1) hash = Math.imul(hash ^ token.charCodeAt(at), 0x01000193)
  return hash | 0
}

function array(
  values: readonly (number | string)[],
  type: 'integer' | 'bigint' | 'text',
): RawBuilder<unknown> {
  return sql`${[...values]}::${sql.raw(type)}[]`
}

interface ChangedText {
  /** The `seq` of a message or the id of a chat. */
  key: number | string
  text: string
  user_id: string
  channel_id: string
}

interface IndexRow {
  key: number | string
  tokens: number[]
}

/** Yields the rows in slices, each of which takes about `sliceMs`, and lets other requests have a turn between them. */
async function* tokenizeInSlices(rows: readonly ChangedText[]): AsyncGenerator<IndexRow[]> {
  let slice: IndexRow[] = []
  let begun = performance.now()
  for (const { key, text, user_id, channel_id } of rows) {
    const tokens = [...tokenize(text), scopeToken(user_id), scopeToken(channel_id)]
    slice.push({ key, tokens: [...new Set(tokens.map(hashToken))] })
    if (performance.now() - begun < sliceMs) continue
    await setImmediate()
    yield slice
    slice = []
    begun = performance.now()
  }
  if (slice.length > 0) yield slice
}

/** Inserts slice by slice, because writing long arrays as parameters takes time, too. */
async function replaceIndexRows(
  tx: Tx,
  table: { name: string; key: string; type: 'bigint' | 'text' },
  keys: readonly (number | string)[],
  changed: RawBuilder<ChangedText>,
): Promise<void> {
  if (keys.length === 0) return
  const texts = (await changed.execute(tx)).rows
  const [name, key] = [sql.table(table.name), sql.ref(table.key)]
  await sql`delete from ${name} where ${key} = any (${array(keys, table.type)})`.execute(tx)
  for await (const slice of tokenizeInSlices(texts)) {
    const rows = slice.map((row) => sql`(${row.key}, ${array(row.tokens, 'integer')})`)
    await sql`insert into ${name} values ${sql.join(rows)}`.execute(tx)
  }
}

async function hasChanges(db: Db): Promise<boolean> {
  return (await db.selectFrom('message_changes').select('n').limit(1).execute()).length > 0
}

/** Takes a batch of changes and updates the index. The lock lets one node do so at a time. */
function indexNextChanges(db: Db): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await lockName(tx, 'message-search')
    const { rows: taken } = await sql<{ message_seq: number | null; chat_id: string | null }>`
      delete from message_changes where n in (select n from message_changes order by n limit ${changesPerBatch})
      returning message_seq, chat_id`.execute(tx)
    const seqs = [...new Set(taken.flatMap(({ message_seq }) => message_seq ?? []))]
    const chats = [...new Set(taken.flatMap(({ chat_id }) => chat_id ?? []))]
    await replaceIndexRows(
      tx,
      { name: 'message_words', key: 'seq', type: 'bigint' },
      seqs,
      sql`select m.seq as key, m.content as text, c.user_id, c.channel_id
        from messages m join chats c on c.id = m.chat_id
        where m.seq = any (${array(seqs, 'bigint')}) and m.state is distinct from 'streaming'`,
    )
    await replaceIndexRows(
      tx,
      { name: 'title_words', key: 'chat_id', type: 'text' },
      chats,
      sql`select id as key, title as text, user_id, channel_id from chats
        where id = any (${array(chats, 'text')}) and title is not null`,
    )
  })
}

function buildConditions({
  userId,
  channelId,
  chatId,
  from,
  to,
  memberId,
}: RecordFilters): RawBuilder<SqlBool> {
  const member = sql<SqlBool>`exists (select 1 from channel_members o
    where o.channel_id = c.channel_id and o.user_id = ${memberId})`
  const conditions = [
    userId === undefined ? null : sql<SqlBool>`c.user_id = ${userId}`,
    channelId === undefined ? null : sql<SqlBool>`c.channel_id = ${channelId}`,
    chatId === undefined ? null : sql<SqlBool>`c.id = ${chatId}`,
    from === undefined ? null : sql<SqlBool>`c.created_at >= ${from}`,
    to === undefined ? null : sql<SqlBool>`c.created_at <= ${to}`,
    memberId === undefined ? null : member,
  ].filter((condition) => condition !== null)
  return conditions.length === 0 ? sql<SqlBool>`true` : sql.join(conditions, sql` and `)
}

const chatColumns = sql.raw(
  'c.id, c.created_at as "createdAt", c.updated_at as "updatedAt", c.message_count as "messageCount"',
)

/** How many messages the first query covers. Common words are found there; later queries are for rare ones. */
const firstWindow = 20_000
const windowGrowth = 10

function hashTokens(tokens: readonly string[]) {
  return array(tokens.map(hashToken), 'integer')
}

function createPostgresSearchRecords(db: Db): SearchRecords {
  async function query<R>(statement: RawBuilder<R>): Promise<R[]> {
    return (await statement.execute(db)).rows
  }

  function readCandidates(tokens: readonly string[], from: number, before: number, limit: number) {
    return query(sql<Candidate>`select w.seq, coalesce(m.chat_id, '') as "chatId"
      from message_words w left join messages m on m.seq = w.seq
      where w.tokens @> ${hashTokens(tokens)} and w.seq >= ${from} and w.seq < ${before}
      order by w.seq desc limit ${limit}`)
  }

  return {
    async listCandidates(tokens, before, limit) {
      const [newest] = await query(
        sql<{ seq: number }>`select coalesce(max(seq), 0) as seq from message_words`,
      )
      const end = Math.min(before, (newest?.seq ?? 0) + 1)
      for (let width = firstWindow; ; width *= windowGrowth) {
        const from = Math.max(0, end - width)
        const found = await readCandidates(tokens, from, end, limit)
        if (found.length === limit || from === 0) return found
      }
    },
    readTexts: (seqs) =>
      query(sql<MessageText>`select seq, id, chat_id as "chatId", role, content, created_at as "createdAt"
        from messages where seq = any (${array(seqs, 'bigint')}) and state is distinct from 'streaming'`),
    listMessages: (chatId, before, limit) =>
      query(sql<Candidate>`select seq, chat_id as "chatId" from messages
        where chat_id = ${chatId} and seq < ${before} order by seq desc limit ${limit}`),
    filterChats: (ids, filters) =>
      query(sql<FoundChat>`select ${chatColumns} from chats c
        where c.id = any (${array(ids, 'text')}) and ${buildConditions(filters)}`),
    listNewestChats: (filters, before, limit) =>
      query(sql<FoundChat & { userId: string }>`select ${chatColumns}, c.user_id as "userId" from chats c
        where c.created_at < ${before} and ${buildConditions(filters)} order by c.created_at desc limit ${limit}`),
    listTitles: (tokens, filters, limit) =>
      query(sql<TitledChat>`select ${chatColumns}, c.title from title_words w join chats c on c.id = w.chat_id
        where w.tokens @> ${hashTokens(tokens)} and c.title is not null
          -- A title taken from the first question is found through that message.
          and coalesce(c.title_source, 'user') in ('user', 'model') and ${buildConditions(filters)}
        order by c.created_at desc limit ${limit}`),
    listUsers: (visitorName) =>
      query(sql<{ id: string; name: string; email: string }>`select id, name,
        case when deleted_at is null then email else '' end as email from users where visitor_channel_id is null
        union all (select id, name, '' from users where name = ${visitorName} and visitor_channel_id is not null
          order by id desc limit ${visitorsMaximum})`),
    async isBuilding() {
      const rows = await query(sql`select 1 from message_changes offset ${buildingThreshold} limit 1`)
      return rows.length > 0
    },
  }
}

export function createPostgresSearch(db: Db, warn: (error: unknown) => void): MessageSearch {
  const records = createPostgresSearchRecords(db)
  let isClosing = false
  let indexing: Promise<void> | null = null
  function catchUp(): Promise<void> {
    indexing ??= (async () => {
      while (!isClosing && (await hasChanges(db))) await indexNextChanges(db)
    })().finally(() => {
      indexing = null
    })
    return indexing
  }
  const timer = setInterval(() => {
    catchUp().catch((error: unknown) => {
      if (!isClosing) warn(error)
    })
  }, pollInterval)
  timer.unref()

  return {
    findChats: (words, filters) => findChats(records, words, filters),
    findOwnMessages: (query) => findOwn(records, query),
    async getBacklog() {
      const counted = sql<{ changes: number }>`select count(*) as changes
        from (select 1 from message_changes limit ${buildingThreshold + 1}) as waiting`
      const changes = Number((await counted.execute(db)).rows[0]?.changes ?? 0)
      return { changes, isBuilding: changes > buildingThreshold }
    },
    async waitUntilIndexed() {
      // A run in progress may have read the changes before the last commit.
      await indexing
      await catchUp()
    },
    async close() {
      isClosing = true
      clearInterval(timer)
      await indexing?.catch(() => undefined)
    },
  }
}
