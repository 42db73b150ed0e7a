import { chatHistoryApi } from '@lyceum/contract/chat-history'
import { useEffect, useRef, useState } from 'react'
import { isAborted, messageOf } from '#api/api-error.ts'
import { download } from '#api/download.ts'
import { saveFile } from '#lib/save-file.ts'
import { texts } from '#texts/admin.ts'
import { toFilters } from './queries.ts'
import { createRecordCounter, type ExportFormat } from './record-counter.ts'
import type { HistoryView } from './use-history-view.ts'

/** Null before the first export and after its outcome was dismissed. */
export type ExportState =
  | { phase: 'running'; format: ExportFormat; messages: number; total: number | null }
  | { phase: 'done' | 'truncated' | 'cancelled' | 'failed'; text: string }
  | null

/** Limits re-rendering of the chat list during an export. */
const progressIntervalMs = 100

function formatToday(): string {
  const now = new Date()
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
}

function readTotal(headers: Headers): number | null {
  const text = headers.get('x-total-messages') ?? ''
  return /^\d+$/.test(text) ? Number(text) : null
}

/** Downloads chats as a file. Leaving the screen cancels it. */
export function useExport() {
  const [state, setState] = useState<ExportState>(null)
  const controllerRef = useRef<AbortController | null>(null)
  useEffect(() => () => controllerRef.current?.abort(), [])

  async function start(view: HistoryView, format: ExportFormat): Promise<void> {
    controllerRef.current?.abort()
    const controller = new AbortController()
    controllerRef.current = controller
    const count = createRecordCounter(format)
    let total: number | null = null
    let isTruncated = false
    let reportedAt = 0
    setState({ phase: 'running', format, messages: 0, total })
    try {
      const file = await download(
        chatHistoryApi.export,
        { query: { ...toFilters(view), format } },
        {
          signal: controller.signal,
          onStart: (headers) => {
            total = readTotal(headers)
            isTruncated = headers.get('x-export-cut') === 'true'
          },
          onProgress: (_, chunk) => {
            const counted = count(chunk)
            const now = performance.now()
            if (now - reportedAt < progressIntervalMs) return
            reportedAt = now
            setState({ phase: 'running', format, messages: counted, total })
          },
        },
      )
      saveFile(file, `chat-histories-${formatToday()}.${format}`)
      setState(
        isTruncated
          ? { phase: 'truncated', text: texts.chatHistory.exportTruncated(total ?? 0) }
          : { phase: 'done', text: texts.chatHistory.export.done },
      )
    } catch (error) {
      const { failed } = texts.chatHistory.export
      if (isAborted(error)) setState({ phase: 'cancelled', text: texts.chatHistory.exportCancelled })
      else setState({ phase: 'failed', text: messageOf(error, failed) })
    } finally {
      if (controllerRef.current === controller) controllerRef.current = null
    }
  }

  return {
    state,
    start: (view: HistoryView, format: ExportFormat): void => void start(view, format),
    cancel: (): void => controllerRef.current?.abort(),
    dismiss: (): void => setState(null),
  }
}
