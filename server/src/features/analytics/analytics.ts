import { setImmediate } from 'node:timers/promises'
import {
  type Analytics,
  type CitedDocument,
  type DayRange,
  lengthOf,
  maximumRangeDays,
  rangeBefore,
  rangeFrom,
  type UsageChannel,
} from '@lyceum/contract/analytics'
import { countPages } from '#lib/page.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { byDay, byModel, figuresOf, sumFigures } from './figures.ts'
import {
  channelNames,
  citedIn,
  countActiveUsers,
  countedChannels,
  documentTitles,
  sumsOf,
  type UsageRow,
  usageOf,
} from './store.ts'

export interface Asked {
  from?: string | undefined
  to?: string | undefined
  channelId?: string | undefined
}

export interface Paged {
  limit: number
  skip: number
}

/** Channels summed per batch, so that other requests are served in between. */
const channelsPerStep = 10
/** Documents whose titles are loaded per query, because a statement takes a limited number of parameters. */
const documentsPerStep = 500

function refuseRange(message: string): never {
  throw new AppError('validation.failed', { message, fields: { to: message } })
}

export function rangeOf(deps: Deps, asked: Asked): DayRange {
  const range = rangeFrom(asked, deps.now())
  const length = lengthOf(range)
  if (length < 1) refuseRange('The end date must not be before the start date')
  if (length > maximumRangeDays) refuseRange(`Choose at most ${maximumRangeDays} days`)
  return range
}

async function totalsOf(
  deps: Deps,
  channelId: string | undefined,
  range: DayRange,
  rows: readonly UsageRow[],
) {
  return {
    ...sumFigures(rows),
    people: await countActiveUsers(deps.db, channelId, range),
  }
}

/** Figures of one channel or of all channels, with those of the preceding range for comparison. */
export async function analyticsOf(deps: Deps, asked: Asked): Promise<Analytics> {
  const { channelId } = asked
  const range = rangeOf(deps, asked)
  const earlier = rangeBefore(range)
  const rows = await usageOf(deps.db, channelId, range)
  const rowsBefore = await usageOf(deps.db, channelId, earlier)
  return {
    ...range,
    totals: await totalsOf(deps, channelId, range, rows),
    before: await totalsOf(deps, channelId, earlier, rowsBefore),
    days: byDay(rows, range),
    models: byModel(rows),
  }
}

async function channelsOf(deps: Deps, channelId: string | undefined): Promise<string[]> {
  return channelId === undefined ? countedChannels(deps.db) : [channelId]
}

/** Yields channels in batches. SQLite queries block the event loop, so other requests are served between batches. */
async function* inBatches(ids: readonly string[]): AsyncGenerator<string[]> {
  for (let at = 0; at < ids.length; at += channelsPerStep) {
    if (at > 0) await setImmediate()
    yield ids.slice(at, at + channelsPerStep)
  }
}

/** Every channel with recorded usage, most messages first. */
export async function allChannelFigures(deps: Deps, asked: Asked): Promise<UsageChannel[]> {
  const range = rangeOf(deps, asked)
  const rows: Omit<UsageChannel, 'channelName'>[] = []
  for await (const ids of inBatches(await channelsOf(deps, asked.channelId)))
    for (const { channel_id, ...sums } of await sumsOf(deps.db, ids, range))
      rows.push({ channelId: channel_id, ...figuresOf(sums) })
  const sorted = rows.toSorted((a, b) => b.messages - a.messages || (a.channelId < b.channelId ? -1 : 1))
  const names = await channelNames(
    deps.db,
    sorted.map(({ channelId }) => channelId),
  )
  return sorted.map((row) => ({ ...row, channelName: names.get(row.channelId) ?? null }))
}

function pageOf<T>(items: T[], total: number, { limit }: Paged) {
  return {
    items,
    total,
    totalPages: countPages(total, limit),
  }
}

export async function channelFigures(deps: Deps, { limit, skip, ...asked }: Asked & Paged) {
  const all = await allChannelFigures(deps, asked)
  return pageOf(all.slice(skip, skip + limit), all.length, { limit, skip })
}

type CitedRow = Awaited<ReturnType<typeof citedIn>>['rows'][number]

async function presentCited(deps: Deps, rows: readonly CitedRow[]): Promise<CitedDocument[]> {
  const titles = await documentTitles(
    deps.db,
    rows.map(({ document_id }) => document_id),
  )
  const names = await channelNames(deps.db, [...new Set(rows.map(({ channel_id }) => channel_id))])
  return rows.map(({ channel_id, document_id, citations }) => ({
    documentId: document_id,
    title: titles.get(document_id) ?? null,
    channelId: channel_id,
    channelName: names.get(channel_id) ?? null,
    citations,
  }))
}

/** Reads no more documents of each channel than the page can need. */
export async function citedDocuments(deps: Deps, { limit, skip, ...asked }: Asked & Paged) {
  const range = rangeOf(deps, asked)
  const rows: CitedRow[] = []
  let total = 0
  for await (const ids of inBatches(await channelsOf(deps, asked.channelId))) {
    const found = await citedIn(deps.db, ids, range, skip + limit)
    rows.push(...found.rows)
    total += found.total
  }
  const sorted = rows.toSorted(
    (a, b) => b.citations - a.citations || (a.document_id < b.document_id ? -1 : 1),
  )
  return pageOf(await presentCited(deps, sorted.slice(skip, skip + limit)), total, { limit, skip })
}

/** Yields all cited documents in batches. */
export async function* citedByChannel(deps: Deps, asked: Asked): AsyncGenerator<CitedDocument[]> {
  const range = rangeOf(deps, asked)
  for await (const ids of inBatches(await channelsOf(deps, asked.channelId))) {
    const { rows } = await citedIn(deps.db, ids, range, null)
    for (let at = 0; at < rows.length; at += documentsPerStep) {
      yield presentCited(deps, rows.slice(at, at + documentsPerStep))
      await setImmediate()
    }
  }
}
