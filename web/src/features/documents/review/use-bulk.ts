import { type BulkAction, type BulkResult, type Document, documentsApi } from '@lyceum/contract/documents'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { channelsKey } from '#features/channels/queries.ts'
import { log } from '#lib/log.ts'
import { documentLists } from '../queries.ts'
import { failedWords } from './bulk-labels.ts'

/** Well below what one call may hold, so that the bar moves and one can stop. */
const perCall = 50

interface BulkProgress {
  action: BulkAction
  done: number
  total: number
}

export interface BulkOutcome {
  action: BulkAction
  done: number
  refused: BulkResult['refused']
  /** Those that were not come to, or of which it is not known. */
  left: readonly Document[]
  /** Why it ended before its end; null when it did not, or was stopped. */
  failure: string | null
}

/** One action to many documents, some at a time. What was done stays done; the rest is told. */
export function useBulk(onEnd: (outcome: BulkOutcome) => void) {
  const client = useQueryClient()
  const [progress, setProgress] = useState<BulkProgress | null>(null)
  const isStopped = useRef(false)

  async function start(action: BulkAction, documents: readonly Document[]): Promise<void> {
    if (progress !== null) return
    isStopped.current = false
    const outcome: BulkOutcome = { action, done: 0, refused: [], left: documents, failure: null }
    setProgress({ action, done: 0, total: documents.length })
    try {
      while (outcome.left.length > 0 && !isStopped.current) {
        const part = outcome.left.slice(0, perCall)
        const ids = part.map(({ _id }) => _id)
        const versions = part.map(({ version }) => version.number)
        const { done, refused } = await call(documentsApi.bulk, { body: { action, ids, versions } })
        outcome.done += done.length
        outcome.refused = [...outcome.refused, ...refused]
        outcome.left = outcome.left.slice(perCall)
        setProgress({ action, done: documents.length - outcome.left.length, total: documents.length })
      }
    } catch (error) {
      log(failedWords(action), error)
      outcome.failure = messageOf(error, failedWords(action))
    }
    setProgress(null)
    onEnd(outcome)
    void client.invalidateQueries({ queryKey: documentLists })
    if (action === 'delete') void client.invalidateQueries({ queryKey: channelsKey })
  }

  return {
    progress,
    start: (action: BulkAction, documents: readonly Document[]): void => void start(action, documents),
    stop: (): void => {
      isStopped.current = true
    },
  }
}
