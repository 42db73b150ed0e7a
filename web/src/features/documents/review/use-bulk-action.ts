import { type BulkAction, type BulkResult, type Document, documentsApi } from '@lyceum/contract/documents'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { channelsKey } from '#features/channels/queries.ts'
import { log } from '#lib/log.ts'
import { documentListsKey } from '../queries.ts'
import { describeFailure } from './bulk-labels.ts'

/** Well below the server's maximum, so that the progress bar moves and the user can stop. */
const batchSize = 50

interface BulkProgress {
  action: BulkAction
  done: number
  total: number
}

export interface BulkOutcome {
  action: BulkAction
  done: number
  changed: readonly Document[]
  refused: BulkResult['refused']
  /** Documents that were not processed, or whose result is unknown. */
  remaining: readonly Document[]
  /** Why it failed; null if it finished or was stopped by the user. */
  failure: string | null
}

/** Runs one action on many documents in batches. If it stops or fails, finished batches are not undone. */
export function useBulkAction(onEnd: (outcome: BulkOutcome) => void) {
  const client = useQueryClient()
  const [progress, setProgress] = useState<BulkProgress | null>(null)
  const isStopped = useRef(false)

  async function start(action: BulkAction, documents: readonly Document[], reason: string): Promise<void> {
    if (progress !== null) return
    isStopped.current = false
    const outcome: BulkOutcome = {
      action,
      done: 0,
      changed: [],
      refused: [],
      remaining: documents,
      failure: null,
    }
    setProgress({ action, done: 0, total: documents.length })
    try {
      while (outcome.remaining.length > 0 && !isStopped.current) {
        const batch = outcome.remaining.slice(0, batchSize)
        const ids = batch.map(({ _id }) => _id)
        const versions = batch.map(({ version }) => version.number)
        const { done, refused } = await call(documentsApi.bulk, {
          body: { action, ids, versions, ...(reason === '' ? {} : { reason }) },
        })
        outcome.done += done.length
        outcome.changed = [...outcome.changed, ...batch.filter(({ _id }) => done.includes(_id))]
        outcome.refused = [...outcome.refused, ...refused]
        outcome.remaining = outcome.remaining.slice(batchSize)
        setProgress({ action, done: documents.length - outcome.remaining.length, total: documents.length })
      }
    } catch (error) {
      log(describeFailure(action), error)
      outcome.failure = messageOf(error, describeFailure(action))
    }
    setProgress(null)
    onEnd(outcome)
    void client.invalidateQueries({ queryKey: documentListsKey })
    if (action === 'delete') void client.invalidateQueries({ queryKey: channelsKey })
  }

  return {
    progress,
    start: (action: BulkAction, documents: readonly Document[], reason = ''): void =>
      void start(action, documents, reason),
    stop: (): void => {
      isStopped.current = true
    },
  }
}
