import type { BulkAction, Document } from '@lyceum/contract/documents'
import type { Permission } from '@lyceum/contract/permissions'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { usePermissionCheck } from '#features/auth/use-can.ts'
import { log } from '#lib/log.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { documentsMatching } from '../queries.ts'
import { doneWords } from './bulk-labels.ts'
import { type BulkOutcome, useBulk } from './use-bulk.ts'
import { type DocumentView, filterOf } from './use-document-view.ts'
import { useSelection } from './use-selection.ts'

const flagOf: Record<BulkAction, Permission> = {
  approve: 'canApproveDocuments',
  reject: 'canRejectDocuments',
  reindex: 'canReindexDocuments',
  delete: 'canDeleteDocuments',
}

const offered: Record<DocumentView['status'], readonly BulkAction[]> = {
  pending: ['approve', 'reject', 'delete'],
  approved: ['reindex', 'delete'],
}

function isAskedFirst(action: BulkAction): boolean {
  return action === 'reject' || action === 'delete'
}

/** More than these are not chosen by one press: a decision about thousands of unread documents is no review. */
const mostAtOnce = 1000

interface Review {
  view: DocumentView
  /** What is on the page, and how many there are in all. */
  documents: readonly Document[]
  total: number
  /** Takes the focus when a button that had it goes away. */
  takeFocus: () => void
}

/** Choosing documents under review and doing something with all of them, and what came of it. */
export function useReviewSelection({ view, documents, total, takeFocus }: Review) {
  const can = usePermissionCheck()
  const filter = filterOf(view)
  const chosen = useSelection(JSON.stringify(filter), documents, ({ status }) => status === view.status)
  const [asked, setAsked] = useState<BulkAction | null>(null)
  const asker = useRef<Element | null>(null)
  const [outcome, setOutcome] = useState<BulkOutcome | null>(null)

  const bulk = useBulk((ended) => {
    chosen.keepOnly(ended.left)
    if (ended.refused.length > 0 || ended.left.length > 0) setOutcome(ended)
    else banner.success(doneWords(ended.action, ended.done))
  })
  const all = useMutation({
    mutationFn: () => documentsMatching(filter, mostAtOnce),
    onSuccess: (found) => chosen.set(found, true),
    onError: (error) => {
      log(texts.documents.selectAllFailed, error)
      banner.error(messageOf(error, texts.documents.selectAllFailed))
    },
  })
  function run(action: BulkAction): void {
    setAsked(null)
    bulk.start(action, chosen.documents)
    takeFocus()
  }
  function act(action: BulkAction): void {
    if (!isAskedFirst(action)) {
      run(action)
      return
    }
    asker.current = globalThis.document.activeElement
    setAsked(action)
  }
  const within = Math.min(total, mostAtOnce)
  return {
    chosen,
    actions: offered[view.status].filter((action) => can(flagOf[action])),
    progress: bulk.progress,
    stop: bulk.stop,
    act,
    asked,
    /** The button that asked, unless it has made way for the progress. */
    asker: (): HTMLElement | null =>
      asker.current instanceof HTMLElement && asker.current.isConnected ? asker.current : null,
    confirm: run,
    dismiss: (): void => setAsked(null),
    clear: (): void => {
      chosen.keepOnly([])
      takeFocus()
    },
    all: {
      // Once the page is full of chosen ones, there may be more to choose.
      isOffered:
        chosen.documents.length < within &&
        documents.every((document) => !chosen.isSelectable(document) || chosen.has(document._id)),
      count: within,
      isWhole: within === total,
      isBusy: all.isPending,
      choose: (): void => all.mutate(),
    },
    outcome,
    closeOutcome: (): void => setOutcome(null),
  }
}

export type ReviewSelection = ReturnType<typeof useReviewSelection>
