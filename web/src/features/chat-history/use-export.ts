import { chatHistoryApi } from '@lyceum/contract/chat-history'
import { useEffect, useRef, useState } from 'react'
import { isAborted, messageOf } from '#api/api-error.ts'
import { download } from '#api/download.ts'
import { saveFile } from '#lib/save-file.ts'
import { texts } from '#texts/admin.ts'
import { filtersOf } from './queries.ts'
import { type ExportFormat, recordCounter } from './record-counter.ts'
import type { HistoryView } from './use-history-view.ts'

/** How an export stands; null before the first and after it was put away. */
export type ExportState =
  | { phase: 'running'; format: ExportFormat; messages: number; total: number | null }
  | { phase: 'done' | 'cut' | 'cancelled' | 'failed'; words: string }
  | null

/** Often enough for the eye, seldom enough for the list beside it. */
const progressEveryMs = 100

function today(): string {
  const now = new Date()
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
}

function totalOf(headers: Headers): number | null {
  const text = headers.get('x-total-messages') ?? ''
  return /^\d+$/.test(text) ? Number(text) : null
}

/** Takes chats out as a file. Leaving the screen ends it. */
export function useExport() {
  const [state, setState] = useState<ExportState>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  async function begin(view: HistoryView, format: ExportFormat): Promise<void> {
    running.current?.abort()
    const control = new AbortController()
    running.current = control
    const count = recordCounter(format)
    let total: number | null = null
    let isCut = false
    let toldAt = 0
    setState({ phase: 'running', format, messages: 0, total })
    try {
      const file = await download(
        chatHistoryApi.export,
        { query: { ...filtersOf(view), format } },
        {
          signal: control.signal,
          onStart: (headers) => {
            total = totalOf(headers)
            isCut = headers.get('x-export-cut') === 'true'
          },
          onProgress: (_, piece) => {
            const counted = count(piece)
            const now = performance.now()
            if (now - toldAt < progressEveryMs) return
            toldAt = now
            setState({ phase: 'running', format, messages: counted, total })
          },
        },
      )
      saveFile(file, `chat-histories-${today()}.${format}`)
      setState(
        isCut
          ? { phase: 'cut', words: texts.chatHistory.exportCut(total ?? 0) }
          : { phase: 'done', words: texts.chatHistory.export.done },
      )
    } catch (error) {
      const { failed } = texts.chatHistory.export
      if (isAborted(error)) setState({ phase: 'cancelled', words: texts.chatHistory.exportCancelled })
      else setState({ phase: 'failed', words: messageOf(error, failed) })
    } finally {
      if (running.current === control) running.current = null
    }
  }

  return {
    state,
    begin: (view: HistoryView, format: ExportFormat): void => void begin(view, format),
    cancel: (): void => running.current?.abort(),
    putAway: (): void => setState(null),
  }
}
