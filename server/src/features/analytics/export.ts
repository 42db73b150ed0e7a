import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { AnalyticsTable, QuestionState, UsageFigures } from '@lyceum/contract/analytics'
import type { FileReply } from '#files/file-reply.ts'
import { formatCsvRow } from '#lib/csv.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import {
  type AnalyticsQuery,
  getAnalytics,
  listAllChannelFigures,
  requireRange,
  streamCitedDocuments,
} from './analytics.ts'
import { auditRead } from './audit-read.ts'
import { listQuestionsAfter } from './question-store.ts'
import { presentQuestion, toFilter } from './questions.ts'

const questionsPerBatch = 500

type Cell = string | number | null

const figureColumns = [
  'messages',
  'replies',
  'refusals',
  'failures',
  'quoted',
  'inputTokens',
  'outputTokens',
  'good',
  'bad',
  'firstWordP50',
  'firstWordP95',
] as const

function figureCells(figures: UsageFigures): Cell[] {
  return figureColumns.map((name) => figures[name])
}

type TableQuery = AnalyticsQuery & { state: QuestionState }
type Rows = (deps: Deps, query: TableQuery) => AsyncGenerator<Cell[][]>

async function* dayRows(deps: Deps, query: TableQuery): AsyncGenerator<Cell[][]> {
  const { days } = await getAnalytics(deps, query)
  yield days.map((row) => [row.day, row.people, ...figureCells(row)])
}

async function* modelRows(deps: Deps, query: TableQuery): AsyncGenerator<Cell[][]> {
  const { models } = await getAnalytics(deps, query)
  yield models.map((row) => [row.model, ...figureCells(row)])
}

async function* channelRows(deps: Deps, query: TableQuery): AsyncGenerator<Cell[][]> {
  const rows = await listAllChannelFigures(deps, query)
  yield rows.map((row) => [row.channelId, row.channelName, ...figureCells(row)])
}

async function* documentRows(deps: Deps, query: TableQuery): AsyncGenerator<Cell[][]> {
  for await (const rows of streamCitedDocuments(deps, query))
    yield rows.map((row) => [row.documentId, row.title, row.channelId, row.channelName, row.citations])
}

async function* questionRows(deps: Deps, query: TableQuery): AsyncGenerator<Cell[][]> {
  const filter = toFilter(deps, query)
  let last: { asked_at: number; id: string } | null = null
  for (;;) {
    const rows = await listQuestionsAfter(deps.db, filter, last, questionsPerBatch)
    last = rows.at(-1) ?? null
    if (last === null) return
    yield rows
      .map(presentQuestion)
      .map((row) => [
        row.askedAt,
        row.channelId,
        row.channelName,
        row.reason,
        row.text,
        row.resolved?.at ?? null,
        row.resolved?.by ?? null,
      ])
    // SQLite queries block the event loop: yield so that other requests are served between batches.
    await setImmediate()
  }
}

const tables: Record<AnalyticsTable, { head: readonly string[]; rows: Rows }> = {
  days: { head: ['day', 'people', ...figureColumns], rows: dayRows },
  models: { head: ['model', ...figureColumns], rows: modelRows },
  channels: { head: ['channelId', 'channel', ...figureColumns], rows: channelRows },
  documents: { head: ['documentId', 'title', 'channelId', 'channel', 'citedIn'], rows: documentRows },
  questions: {
    head: ['askedAt', 'channelId', 'channel', 'reason', 'question', 'dealtWithAt', 'dealtWithBy'],
    rows: questionRows,
  },
}

async function* generateLines(
  deps: Deps,
  table: AnalyticsTable,
  query: TableQuery,
  recheck: () => Promise<void>,
): AsyncGenerator<string> {
  const { head, rows } = tables[table]
  yield formatCsvRow(head)
  for await (const batch of rows(deps, query)) {
    await recheck()
    if (batch.length > 0) yield batch.map(formatCsvRow).join('')
  }
}

/** Streams one table as of now. The export is recorded in the audit log before the first byte is sent. */
export async function exportTable(
  deps: Deps,
  actor: Actor,
  { table, ...query }: TableQuery & { table: AnalyticsTable },
  recheck: () => Promise<void>,
): Promise<FileReply> {
  const { from, to } = requireRange(deps, query)
  await auditRead(deps, actor, 'analytics.exported', { table, ...query, from, to })
  const lines = generateLines(deps, table, { ...query, from, to }, recheck)
  return {
    // Byte mode limits read-ahead for slow clients by bytes; object mode would count chunks of any size.
    content: Readable.from(lines, { objectMode: false }),
    mimeType: 'text/csv; charset=utf-8',
    name: `${table}-${from}-to-${to}.csv`,
  }
}
