import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { type AuditEntry, type AuditFilters, auditListMaximum } from '@lyceum/contract/audit'
import type { FileReply } from '#files/file-reply.ts'
import { csvRow } from '#lib/csv.ts'
import { countPages } from '#lib/page.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { auditAlone } from './append.ts'
import { presentEntry } from './present.ts'
import { type AuditRow, countEntries, entriesAfter, lastSeq, listEntries, type Range } from './store.ts'

const rowsPerStep = 500

function timeOf(field: 'startDate' | 'endDate', instant: string | undefined): number | null {
  if (instant === undefined) return null
  const time = Date.parse(instant)
  if (Number.isNaN(time)) {
    const message = 'This is no point in time'
    throw new AppError('validation.failed', { message, fields: { [field]: message } })
  }
  return time
}

function rangeOf({ startDate, endDate, ...equal }: AuditFilters, asOf: number): Range {
  return {
    ...equal,
    from: timeOf('startDate', startDate),
    until: timeOf('endDate', endDate),
    asOf,
  }
}

interface ListQuery extends AuditFilters {
  limit: number
  skip: number
  asOf?: number | undefined
}

/** A page, newest first. That it was read is in the log before it is answered. */
export async function readLog(deps: Deps, actor: Actor, { limit, skip, asOf, ...filters }: ListQuery) {
  const end = asOf ?? (await lastSeq(deps.db))
  const range = rangeOf(filters, end)
  const rows = await listEntries(deps.db, range, limit, skip)
  const counted = await countEntries(deps.db, range, auditListMaximum + 1)
  const total = Math.min(counted, auditListMaximum)
  await auditAlone(deps, { actor, action: 'audit.read', after: { ...filters, limit, skip } })
  return {
    items: rows.map(presentEntry),
    total,
    totalPages: countPages(total, limit),
    asOf: end,
    hasMore: counted > total,
  }
}

const columns = [
  'time',
  'person',
  'email',
  'action',
  'objectType',
  'objectId',
  'objectName',
  'result',
  'ip',
  'browser',
  'before',
  'after',
] as const

function asCsv({ at, actor, action, object, result, ip, userAgent, before, after }: AuditEntry): string {
  return csvRow([
    at,
    actor?.name ?? null,
    actor?.email ?? null,
    action,
    object?.type ?? null,
    object?._id ?? null,
    object?.name ?? null,
    result,
    ip,
    userAgent,
    before && JSON.stringify(before),
    after && JSON.stringify(after),
  ])
}

const formats = {
  csv: { mimeType: 'text/csv; charset=utf-8', head: csvRow(columns), line: asCsv },
  jsonl: {
    mimeType: 'application/x-ndjson; charset=utf-8',
    head: '',
    line: (entry: AuditEntry): string => `${JSON.stringify(entry)}\n`,
  },
}

async function* linesOf(
  deps: Deps,
  range: Range,
  { head, line }: (typeof formats)['csv'],
  recheck: () => Promise<void>,
): AsyncGenerator<string> {
  if (head !== '') yield head
  let after: Pick<AuditRow, 'at' | 'seq'> = { at: Number.MIN_SAFE_INTEGER, seq: 0 }
  for (;;) {
    await recheck()
    const rows = await entriesAfter(deps.db, range, after, rowsPerStep)
    const last = rows.at(-1)
    if (!last) return
    yield rows.map((row) => line(presentEntry(row))).join('')
    after = last
    // SQLite answers in the same turn: without a pause nobody else would be served meanwhile.
    await setImmediate()
  }
}

/** What stands in the log now, oldest first, as it is read. That it was taken is in the log before the first byte. */
export async function exportLog(
  deps: Deps,
  actor: Actor,
  { format, ...filters }: AuditFilters & { format: 'csv' | 'jsonl' },
  recheck: () => Promise<void>,
): Promise<FileReply> {
  const range = rangeOf(filters, await lastSeq(deps.db))
  await auditAlone(deps, { actor, action: 'audit.exported', after: { ...filters, format } })
  const day = new Date(deps.now()).toISOString().slice(0, 10)
  const written = linesOf(deps, range, formats[format], recheck)
  return {
    // By bytes, not by pieces: so much is read ahead of a slow reader and no more.
    content: Readable.from(written, { objectMode: false }),
    mimeType: formats[format].mimeType,
    name: `audit-log-${day}.${format}`,
  }
}
