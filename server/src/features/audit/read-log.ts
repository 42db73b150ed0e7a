import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { endpoints } from '@lyceum/contract/api'
import { type AuditEntry, type AuditFilters, auditListMaximum } from '@lyceum/contract/audit'
import type { FileReply } from '#files/file-reply.ts'
import { formatCsvRow } from '#lib/csv.ts'
import { countPages } from '#lib/page.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { auditAlone } from './append.ts'
import { presentEntry } from './present.ts'
import {
  type AuditRow,
  countEntries,
  type EntryFilter,
  findLastSeq,
  findObjectNames,
  listEntries,
  listEntriesAfter,
} from './store.ts'

const rowsPerBatch = 500

function parseTime(field: 'startDate' | 'endDate', text: string | undefined): number | null {
  if (text === undefined) return null
  const time = Date.parse(text)
  if (Number.isNaN(time)) {
    const message = 'Enter a valid date and time'
    throw new AppError('validation.failed', { message, fields: { [field]: message } })
  }
  return time
}

function parseFilters(
  { startDate, endDate, ...equal }: AuditFilters,
  asOf: number,
  exceptReadingOf?: string,
): EntryFilter {
  return {
    ...equal,
    from: parseTime('startDate', startDate),
    until: parseTime('endDate', endDate),
    asOf,
    ...(exceptReadingOf === undefined ? {} : { exceptReadingOf }),
  }
}

/** What a call does, by its method and path, which is the id of a call in the log. */
const callSummaries: ReadonlyMap<string, string> = new Map(
  endpoints.map(({ method, path, summary }) => [`${method} ${path}`, summary]),
)

/**
 * Fills in the names of objects that entries refer to by id only. The stored entries stay as they are, and so does the
 * export.
 */
async function addCurrentNames(deps: Deps, rows: AuditRow[]): Promise<AuditRow[]> {
  function listIds(type: string): string[] {
    const ids = rows.flatMap(({ object_type, object_id, object_name }) =>
      object_type === type && object_name === null && object_id !== null ? [object_id] : [],
    )
    return [...new Set(ids)]
  }
  const names = await findObjectNames(deps.db, { channels: listIds('channel'), chats: listIds('chat') })
  function findName({ object_type, object_id }: AuditRow): string | undefined {
    return (object_type === 'call' ? callSummaries : names).get(object_id ?? '')
  }
  return rows.map((row) => ({
    ...row,
    object_name: row.object_name ?? findName(row) ?? null,
  }))
}

interface ListQuery extends AuditFilters {
  limit: number
  skip: number
  asOf?: number | undefined
  ownReading?: 'hide' | undefined
}

/** Returns one page, newest first. The read is recorded in the log before the response is sent. */
export async function readLog(
  deps: Deps,
  actor: Actor,
  { limit, skip, asOf, ownReading, ...filters }: ListQuery,
) {
  const lastSeq = asOf ?? (await findLastSeq(deps.db))
  const filter = parseFilters(filters, lastSeq, ownReading === 'hide' ? actor.userId : undefined)
  const rows = await listEntries(deps.db, filter, limit, skip)
  const counted = await countEntries(deps.db, filter, auditListMaximum + 1)
  const total = Math.min(counted, auditListMaximum)
  await auditAlone(deps, { actor, action: 'audit.read', after: { ...filters, limit, skip } })
  return {
    items: (await addCurrentNames(deps, rows)).map(presentEntry),
    total,
    totalPages: countPages(total, limit),
    asOf: lastSeq,
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

function toCsvRow({ at, actor, action, object, result, ip, userAgent, before, after }: AuditEntry): string {
  return formatCsvRow([
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
  csv: { mimeType: 'text/csv; charset=utf-8', header: formatCsvRow(columns), format: toCsvRow },
  jsonl: {
    mimeType: 'application/x-ndjson; charset=utf-8',
    header: '',
    format: (entry: AuditEntry): string => `${JSON.stringify(entry)}\n`,
  },
}

async function* generateLines(
  deps: Deps,
  filter: EntryFilter,
  { header, format }: (typeof formats)['csv'],
  recheck: () => Promise<void>,
): AsyncGenerator<string> {
  if (header !== '') yield header
  let after: Pick<AuditRow, 'at' | 'seq'> = { at: Number.MIN_SAFE_INTEGER, seq: 0 }
  for (;;) {
    await recheck()
    const rows = await listEntriesAfter(deps.db, filter, after, rowsPerBatch)
    const last = rows.at(-1)
    if (!last) return
    yield rows.map((row) => format(presentEntry(row))).join('')
    after = last
    // SQLite queries block the event loop: yield so that other requests are served between batches.
    await setImmediate()
  }
}

/** Streams the log as of now, oldest first. The export is recorded in the log before the first byte is sent. */
export async function exportLog(
  deps: Deps,
  actor: Actor,
  { format, ...filters }: AuditFilters & { format: 'csv' | 'jsonl' },
  recheck: () => Promise<void>,
): Promise<FileReply> {
  const filter = parseFilters(filters, await findLastSeq(deps.db))
  await auditAlone(deps, { actor, action: 'audit.exported', after: { ...filters, format } })
  const day = new Date(deps.now()).toISOString().slice(0, 10)
  const lines = generateLines(deps, filter, formats[format], recheck)
  return {
    // Byte mode limits read-ahead for slow clients by bytes; object mode would count chunks of any size.
    content: Readable.from(lines, { objectMode: false }),
    mimeType: formats[format].mimeType,
    name: `audit-log-${day}.${format}`,
  }
}
