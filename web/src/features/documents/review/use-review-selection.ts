import type { Document } from '@lyceum/contract/documents'
import type { Permission } from '@lyceum/contract/permissions'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { usePermissionCheck } from '#features/auth/use-can.ts'
import { log } from '#lib/log.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { fetchMatchingDocuments } from '../queries.ts'
import { describeDone, type SelectionAction } from './bulk-labels.ts'
import { toApproved } from './use-approvals.ts'
import { type BulkOutcome, useBulkAction } from './use-bulk-action.ts'
import { type DocumentView, toFilter } from './use-document-view.ts'
import { useSelection } from './use-selection.ts'

const requiredPermission: Record<SelectionAction, Permission> = {
  approve: 'canApproveDocuments',
  reject: 'canRejectDocuments',
  reindex: 'canReindexDocuments',
  delete: 'canDeleteDocuments',
}

const actionsByTab: Record<DocumentView['status'], readonly SelectionAction[]> = {
  pending: ['approve', 'reject', 'delete'],
  approved: ['reindex', 'delete'],
  rejected: ['delete'],
}

function needsConfirmation(action: SelectionAction): boolean {
  return action === 'reject' || action === 'delete'
}

/** One click selects no more than this: deciding on thousands of unread documents is not a review. */
const maxSelectedAtOnce = 1000

interface Review {
  view: DocumentView
  /** The documents on the current page. */
  documents: readonly Document[]
  /** The number of documents on all pages. */
  total: number
  /** Called when the focused button disappears. */
  takeFocus: () => void
  onApproved: (documents: readonly Document[]) => void
}

/** Selects documents under review, runs an action on all of them and reports the outcome. */
export function useReviewSelection({ view, documents, total, takeFocus, onApproved }: Review) {
  const can = usePermissionCheck()
  const filter = toFilter(view)
  const selected = useSelection(JSON.stringify(filter), documents, ({ status }) => status === view.status)
  const [actionToConfirm, setActionToConfirm] = useState<SelectionAction | null>(null)
  const trigger = useRef<Element | null>(null)
  const [outcome, setOutcome] = useState<BulkOutcome | null>(null)

  const bulk = useBulkAction((ended) => {
    selected.keepOnly(ended.remaining)
    if (ended.action === 'approve') onApproved(ended.changed.map(toApproved))
    if (ended.refused.length > 0 || ended.remaining.length > 0) setOutcome(ended)
    else banner.success(describeDone(ended.action, ended.done))
  })
  const selectAll = useMutation({
    mutationFn: () => fetchMatchingDocuments(filter, maxSelectedAtOnce),
    onSuccess: (matches) => selected.set(matches, true),
    onError: (error) => {
      log(texts.documents.selectAllFailed, error)
      banner.error(messageOf(error, texts.documents.selectAllFailed))
    },
  })
  function run(action: SelectionAction): void {
    setActionToConfirm(null)
    bulk.start(action, selected.documents)
    takeFocus()
  }
  function request(action: SelectionAction): void {
    if (!needsConfirmation(action)) {
      run(action)
      return
    }
    trigger.current = globalThis.document.activeElement
    setActionToConfirm(action)
  }
  const selectableCount = Math.min(total, maxSelectedAtOnce)
  return {
    selected,
    actions: actionsByTab[view.status].filter((action) => can(requiredPermission[action])),
    progress: bulk.progress,
    stop: bulk.stop,
    request,
    actionToConfirm,
    /** The button that opened the confirmation; null if the progress bar has replaced it. */
    getTrigger: (): HTMLElement | null =>
      trigger.current instanceof HTMLElement && trigger.current.isConnected ? trigger.current : null,
    confirm: run,
    dismiss: (): void => setActionToConfirm(null),
    clear: (): void => {
      selected.keepOnly([])
      takeFocus()
    },
    selectAll: {
      // Offer the other pages once the whole page is selected.
      isOffered:
        selected.documents.length < selectableCount &&
        documents.every((document) => !selected.isSelectable(document) || selected.has(document._id)),
      count: selectableCount,
      isComplete: selectableCount === total,
      isBusy: selectAll.isPending,
      start: (): void => selectAll.mutate(),
    },
    outcome,
    closeOutcome: (): void => setOutcome(null),
  }
}

export type ReviewSelection = ReturnType<typeof useReviewSelection>
