import type { HistoryItem } from '@lyceum/contract/chat-history'
import { formatCsvRow } from '#lib/csv.ts'
import type { ExportedMessage } from './export-store.ts'
import { toIsoTimestamp } from './present.ts'

export interface ExportHead {
  by: { name: string; email: string }
  at: string
  /** An estimate at the start of the export; the end of the file gives the exact number. */
  messages: number
  isCut: boolean
  filters: Record<string, unknown>
}

export interface ExportFormat {
  mimeType: string
  extension: string
  head(about: ExportHead): string
  line(chat: HistoryItem, message: ExportedMessage): string
  end(messages: number, isCut: boolean): string
}

const columns = [
  'chatId',
  'chatTitle',
  'channel',
  'userName',
  'userEmail',
  'messageId',
  'time',
  'role',
  'state',
  'mode',
  'content',
] as const

function csvNote(text: string): string {
  return formatCsvRow([text, ...columns.slice(1).map(() => null)])
}

/** Uses LF inside fields, so that CRLF only ever ends a record and clients can count records while reading. */
function normalizeLineBreaks(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/^\n+/, '')
}

const csv: ExportFormat = {
  mimeType: 'text/csv; charset=utf-8',
  extension: 'csv',
  head: ({ by, at, messages, isCut, filters }) =>
    csvNote(
      `Exported by ${by.name} <${by.email}> at ${at}: ${messages} messages${isCut ? ', cut' : ''}; filters ${JSON.stringify(filters)}`,
    ) + formatCsvRow(columns),
  line: ({ _id, title, channel, user }, { id, role, content, state, mode, created_at }) =>
    formatCsvRow([
      _id,
      title,
      channel.name,
      user.name,
      user.email,
      id,
      toIsoTimestamp(created_at),
      role,
      state,
      mode,
      normalizeLineBreaks(content),
    ]),
  end: (messages, isCut) =>
    isCut ? csvNote(`Cut after ${messages} messages: narrow the filters to export the rest.`) : '',
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}

const jsonl: ExportFormat = {
  mimeType: 'application/x-ndjson; charset=utf-8',
  extension: 'jsonl',
  head: ({ by, at, messages, isCut, filters }) =>
    line({ type: 'export', exportedBy: by, exportedAt: at, messages, isCut, filters }),
  line: ({ _id, title, channel, user }, { id, role, content, state, mode, citations, created_at }) =>
    line({
      type: 'message',
      chat: { _id, title },
      channel,
      user,
      _id: id,
      timestamp: toIsoTimestamp(created_at),
      role,
      ...(role === 'assistant'
        ? { state, mode, citations: citations === null ? [] : (JSON.parse(citations) as unknown) }
        : {}),
      content,
    }),
  end: (messages, isCut) => line({ type: 'end', messages, isCut }),
}

export const exportFormats = { csv, jsonl }
