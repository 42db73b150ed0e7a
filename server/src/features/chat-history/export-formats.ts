import type { HistoryItem } from '@lyceum/contract/chat-history'
import { formatCsvRow } from '#lib/csv.ts'
import type { ExportedMessage } from './export-store.ts'
import { toIsoTimestamp } from './present.ts'

export interface ExportHeader {
  exportedBy: { name: string; email: string }
  exportedAt: string
  /** Counted before the export starts. The end of a JSONL file or of a truncated CSV file has the exact number. */
  messages: number
  isCut: boolean
  filters: Record<string, unknown>
}

export interface ExportFormat {
  mimeType: string
  extension: string
  formatHeader(header: ExportHeader): string
  formatMessage(chat: HistoryItem, message: ExportedMessage): string
  formatEnd(messages: number, isCut: boolean): string
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

function formatCsvNote(text: string): string {
  return formatCsvRow([text, ...columns.slice(1).map(() => null)])
}

/** Uses LF inside fields, so that CRLF only ever ends a record and clients can count records while reading. */
function normalizeLineBreaks(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/^\n+/, '')
}

const csv: ExportFormat = {
  mimeType: 'text/csv; charset=utf-8',
  extension: 'csv',
  formatHeader: ({ exportedBy, exportedAt, messages, isCut, filters }) =>
    formatCsvNote(
      `Exported by ${exportedBy.name} <${exportedBy.email}> at ${exportedAt}: ${messages} messages${isCut ? ', truncated' : ''}; filters ${JSON.stringify(filters)}`,
    ) + formatCsvRow(columns),
  formatMessage: ({ _id, title, channel, user }, { id, role, content, state, mode, created_at }) =>
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
  formatEnd: (messages, isCut) =>
    isCut
      ? formatCsvNote(`Truncated after ${messages} messages. Narrow the filters to export the rest.`)
      : '',
}

function toJsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}

const jsonl: ExportFormat = {
  mimeType: 'application/x-ndjson; charset=utf-8',
  extension: 'jsonl',
  formatHeader: ({ exportedBy, exportedAt, messages, isCut, filters }) =>
    toJsonLine({ type: 'export', exportedBy, exportedAt, messages, isCut, filters }),
  formatMessage: ({ _id, title, channel, user }, { id, role, content, state, mode, citations, created_at }) =>
    toJsonLine({
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
  formatEnd: (messages, isCut) => toJsonLine({ type: 'end', messages, isCut }),
}

export const exportFormats = { csv, jsonl }
