import type { Insertable, Selectable } from 'kysely'
import type { Executor } from '#db/client.ts'
import { leasesIn } from '#db/lease.ts'
import type { Database } from '#db/schema.ts'

export type QuestionRow = Selectable<Database['test_questions']>
export type RunRow = Selectable<Database['test_runs']>

export function listQuestions(db: Executor, channelId: string): Promise<QuestionRow[]> {
  return db
    .selectFrom('test_questions')
    .selectAll()
    .where('channel_id', '=', channelId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function countQuestions(db: Executor, channelId: string): Promise<number> {
  const { questions } = await db
    .selectFrom('test_questions')
    .select((eb) => eb.fn.countAll<number>().as('questions'))
    .where('channel_id', '=', channelId)
    .executeTakeFirstOrThrow()
  return questions
}

export async function hasQuestion(db: Executor, channelId: string, question: string): Promise<boolean> {
  const found = await db
    .selectFrom('test_questions')
    .select('id')
    .where('channel_id', '=', channelId)
    .where('question', '=', question)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

export async function insertQuestion(
  db: Executor,
  row: Insertable<Database['test_questions']>,
): Promise<void> {
  await db.insertInto('test_questions').values(row).execute()
}

/** Returns false if the channel has no such question. */
export async function updateQuestion(
  db: Executor,
  channelId: string,
  id: string,
  changes: Omit<QuestionRow, 'id' | 'channel_id' | 'created_at'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('test_questions')
    .set(changes)
    .where('id', '=', id)
    .where('channel_id', '=', channelId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns false if the channel has no such question. */
export async function deleteQuestion(db: Executor, channelId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('test_questions')
    .where('id', '=', id)
    .where('channel_id', '=', channelId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Returns the titles of the documents that belong to the channel; other ids are ignored. */
export async function findChannelTitles(
  db: Executor,
  channelId: string,
  ids: ReadonlySet<string>,
): Promise<Map<string, string>> {
  if (ids.size === 0) return new Map()
  const rows = await db
    .selectFrom('documents')
    .select(['id', 'title'])
    .where('channel_id', '=', channelId)
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, title }) => [id, title]))
}

export type RunSummaryRow = Omit<RunRow, 'results' | 'channel_id'>

/** Newest first. */
export function listRuns(db: Executor, channelId: string, limit: number): Promise<RunSummaryRow[]> {
  return db
    .selectFrom('test_runs')
    .select(['id', 'ran_at', 'note', 'total', 'found', 'mean_rank'])
    .where('channel_id', '=', channelId)
    .orderBy('ran_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export function findRun(db: Executor, channelId: string, id: string): Promise<RunRow | undefined> {
  return db
    .selectFrom('test_runs')
    .selectAll()
    .where('id', '=', id)
    .where('channel_id', '=', channelId)
    .executeTakeFirst()
}

export function findLatestRun(db: Executor, channelId: string): Promise<RunRow | undefined> {
  return db
    .selectFrom('test_runs')
    .selectAll()
    .where('channel_id', '=', channelId)
    .orderBy('ran_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Stores a run and deletes all but the newest `maxRuns` runs of the channel. */
export async function insertRun(db: Executor, row: RunRow, maxRuns: number): Promise<void> {
  await db.insertInto('test_runs').values(row).execute()
  await db
    .deleteFrom('test_runs')
    .where('channel_id', '=', row.channel_id)
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('test_runs as newer')
        .select('newer.id')
        .where('newer.channel_id', '=', row.channel_id)
        .orderBy('newer.ran_at', 'desc')
        .orderBy('newer.id', 'desc')
        .limit(maxRuns),
    )
    .execute()
}

/** Only one request at a time, on any node, runs a channel's questions. The lease id is the channel id. */
export const testRunLeases = leasesIn('test_run_leases')

/** Null applies the usual limit. */
export async function findMinMatch(db: Executor, channelId: string): Promise<number | null> {
  const channel = await db
    .selectFrom('channels')
    .select('min_match')
    .where('id', '=', channelId)
    .executeTakeFirst()
  return channel?.min_match ?? null
}

export async function setMinMatch(db: Executor, channelId: string, minMatch: number | null): Promise<void> {
  await db.updateTable('channels').set({ min_match: minMatch }).where('id', '=', channelId).execute()
}
