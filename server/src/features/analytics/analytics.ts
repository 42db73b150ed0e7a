import { setImmediate } from 'node:timers/promises'
import {
  type Analytics,
  type CitedDocument,
  completeRange,
  countDays,
  type DayRange,
  maximumRangeDays,
  previousRange,
  type UsageChannel,
} from '@lyceum/contract/analytics'
import { countPages } from '#lib/page.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { findChannelNames } from '../channels/channel-names.ts'
import { groupByDay, groupByModel, sumFigures, toFigures } from './figures.ts'
import {
  countActiveUsers,
  type DailyUsage,
  findDocumentTitles,
  listCitedDocuments,
  listCountedChannelIds,
  listUsage,
  sumUsage,
} from './store.ts'

export interface AnalyticsQuery {
  from?: string | undefined
  to?: string | undefined
  channelId?: string | undefined
}

export interface PageQuery {
  limit: number
  skip: number
}

/** Channels summed per batch, so that other requests are served in between. */
const channelsPerBatch = 10
/** Documents whose titles are loaded per query, because the number of parameters of a statement is limited. */
const documentsPerBatch = 500

function throwInvalidRange(message: string): never {
  throw new AppError('validation.failed', { message, fields: { to: message } })
}

export function requireRange(deps: Deps, query: AnalyticsQuery): DayRange {
  const range = completeRange(query, deps.now())
  const length = countDays(range)
  if (length < 1) throwInvalidRange('The end date must not be before the start date')
  if (length > maximumRangeDays) throwInvalidRange(`Choose at most ${maximumRangeDays} days`)
  return range
}

async function computeTotals(
  deps: Deps,
  channelId: string | undefined,
  range: DayRange,
  rows: readonly DailyUsage[],
) {
  return {
    ...sumFigures(rows),
    people: await countActiveUsers(deps.db, channelId, range),
  }
}

/** Figures of one channel or of all channels, with those of the preceding range for comparison. */
export async function getAnalytics(deps: Deps, query: AnalyticsQuery): Promise<Analytics> {
  const { channelId } = query
  const range = requireRange(deps, query)
  const previous = previousRange(range)
  const rows = await listUsage(deps.db, channelId, range)
  const rowsBefore = await listUsage(deps.db, channelId, previous)
  return {
    ...range,
    totals: await computeTotals(deps, channelId, range, rows),
    before: await computeTotals(deps, channelId, previous, rowsBefore),
    days: groupByDay(rows, range),
    models: groupByModel(rows),
  }
}

async function listChannelIds(deps: Deps, channelId: string | undefined): Promise<string[]> {
  return channelId === undefined ? listCountedChannelIds(deps.db) : [channelId]
}

/** Yields channels in batches. SQLite queries block the event loop, so other requests are served between batches. */
async function* splitIntoBatches(ids: readonly string[]): AsyncGenerator<string[]> {
  for (let index = 0; index < ids.length; index += channelsPerBatch) {
    if (index > 0) await setImmediate()
    yield ids.slice(index, index + channelsPerBatch)
  }
}

/** Every channel with recorded usage, most messages first. */
export async function listAllChannelFigures(deps: Deps, query: AnalyticsQuery): Promise<UsageChannel[]> {
  const range = requireRange(deps, query)
  const rows: Omit<UsageChannel, 'channelName'>[] = []
  for await (const ids of splitIntoBatches(await listChannelIds(deps, query.channelId)))
    for (const { channel_id, ...sums } of await sumUsage(deps.db, ids, range))
      rows.push({ channelId: channel_id, ...toFigures(sums) })
  const sorted = rows.toSorted((a, b) => b.messages - a.messages || (a.channelId < b.channelId ? -1 : 1))
  const names = await findChannelNames(
    deps.db,
    sorted.map(({ channelId }) => channelId),
  )
  return sorted.map((row) => ({ ...row, channelName: names.get(row.channelId) ?? null }))
}

function toTablePage<T>(items: T[], total: number, { limit }: PageQuery) {
  return {
    items,
    total,
    totalPages: countPages(total, limit),
  }
}

export async function pageChannelFigures(deps: Deps, { limit, skip, ...query }: AnalyticsQuery & PageQuery) {
  const all = await listAllChannelFigures(deps, query)
  return toTablePage(all.slice(skip, skip + limit), all.length, { limit, skip })
}

type CitedRow = Awaited<ReturnType<typeof listCitedDocuments>>['rows'][number]

async function presentCitedDocuments(deps: Deps, rows: readonly CitedRow[]): Promise<CitedDocument[]> {
  const titles = await findDocumentTitles(
    deps.db,
    rows.map(({ document_id }) => document_id),
  )
  const names = await findChannelNames(
    deps.db,
    rows.map(({ channel_id }) => channel_id),
  )
  return rows.map(({ channel_id, document_id, citations }) => ({
    documentId: document_id,
    title: titles.get(document_id) ?? null,
    channelId: channel_id,
    channelName: names.get(channel_id) ?? null,
    citations,
  }))
}

/** Reads from each batch of channels only as many documents as the page could need. */
export async function pageCitedDocuments(deps: Deps, { limit, skip, ...query }: AnalyticsQuery & PageQuery) {
  const range = requireRange(deps, query)
  const rows: CitedRow[] = []
  let total = 0
  for await (const ids of splitIntoBatches(await listChannelIds(deps, query.channelId))) {
    const found = await listCitedDocuments(deps.db, ids, range, skip + limit)
    rows.push(...found.rows)
    total += found.total
  }
  const sorted = rows.toSorted(
    (a, b) => b.citations - a.citations || (a.document_id < b.document_id ? -1 : 1),
  )
  return toTablePage(await presentCitedDocuments(deps, sorted.slice(skip, skip + limit)), total, {
    limit,
    skip,
  })
}

/** Yields all cited documents in batches. */
export async function* streamCitedDocuments(
  deps: Deps,
  query: AnalyticsQuery,
): AsyncGenerator<CitedDocument[]> {
  const range = requireRange(deps, query)
  for await (const ids of splitIntoBatches(await listChannelIds(deps, query.channelId))) {
    const { rows } = await listCitedDocuments(deps.db, ids, range, null)
    for (let index = 0; index < rows.length; index += documentsPerBatch) {
      yield presentCitedDocuments(deps, rows.slice(index, index + documentsPerBatch))
      await setImmediate()
    }
  }
}
