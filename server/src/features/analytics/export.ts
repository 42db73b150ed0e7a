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
import { presentQuestion, toQuestionFilter } from './questions.ts'

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

function toFigureCells(figures: UsageFigures): Cell[] {
  return figureColumns.map((name) => figures[name])
}

type TableQuery = AnalyticsQuery & { state: QuestionState }
type RowGenerator = (deps: Deps, query: TableQuery) => AsyncGenerator<Cell[][]>

async function* generateDayRows(deps: Deps, query: TableQuery): AsyncGenerator<Cell[][]> {
  const { days } = await getAnalytics(deps, query)
  yield days.map((row) => [row.day, row.people, ...toFigureCells(row)])
}

async function* generateModelRows(deps: Deps, query: TableQuery): AsyncGenerator<Cell[][]> {
  const { models } = await getAnalytics(deps, query)
  yield models.map((row) => [row.model, ...toFigureCells(row)])
}

async function* generateChannelRows(deps: Deps, query: TableQuery): AsyncGenerator<Cell[][]> {
  const rows = await listAllChannelFigures(deps, query)
  yield rows.map((row) => [row.channelId, row.channelName, ...toFigureCells(row)])
}

async function* generateDocumentRows(deps: Deps, query: TableQuery): AsyncGenerator<Cell[][]> {
  for await (const rows of streamCitedDocuments(deps, query))
    yield rows.map((row) => [row.documentId, row.title, row.channelId, row.channelName, row.citations])
}

async function* generateQuestionRows(deps: Deps, query: TableQuery): AsyncGenerator<Cell[][]> {
  const filter = toQuestionFilter(deps, query)
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

const tables: Record<AnalyticsTable, { header: readonly string[]; rows: RowGenerator }> = {
  days: { header: ['day', 'people', ...figureColumns], rows: generateDayRows },
  models: { header: ['model', ...figureColumns], rows: generateModelRows },
  channels: { header: ['channelId', 'channel', ...figureColumns], rows: generateChannelRows },
  documents: {
    header: ['documentId', 'title', 'channelId', 'channel', 'citedIn'],
    rows: generateDocumentRows,
  },
  questions: {
    header: ['askedAt', 'channelId', 'channel', 'reason', 'question', 'dealtWithAt', 'dealtWithBy'],
    rows: generateQuestionRows,
  },
}

async function* generateLines(
  deps: Deps,
  table: AnalyticsTable,
  query: TableQuery,
  recheck: () => Promise<void>,
): AsyncGenerator<string> {
  const { header, rows } = tables[table]
  yield formatCsvRow(header)
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
