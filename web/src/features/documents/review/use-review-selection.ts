import type { Document } from '@lyceum/contract/documents'
import type { Permission } from '@lyceum/contract/permissions'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { usePermissionCheck } from '#features/auth/use-can.ts'
import { log } from '#lib/log.ts'
import { texts } from '#texts/admin.ts'
import { banner, findBannerAction } from '#ui/banner.ts'
import { fetchMatchingDocuments } from '../queries.ts'
import { describeDone, describePartialUndo, type SelectionAction } from './bulk-labels.ts'
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
  /** Takes the focus when the focused button disappears. */
  findContainer: () => HTMLElement | null
  onApproved: (documents: readonly Document[]) => void
}

/** Selects documents under review, runs an action on all of them and reports the outcome. */
export function useReviewSelection({ view, documents, total, findContainer, onApproved }: Review) {
  const can = usePermissionCheck()
  const filter = toFilter(view)
  const selected = useSelection(JSON.stringify(filter), documents, ({ status }) => status === view.status)
  const [actionToConfirm, setActionToConfirm] = useState<SelectionAction | null>(null)
  /** How the last rejection was confirmed. */
  const isByKeyboard = useRef(false)
  const trigger = useRef<Element | null>(null)
  const [outcome, setOutcome] = useState<BulkOutcome | null>(null)

  const bulk = useBulkAction((ended) => {
    selected.keepOnly(ended.remaining)
    if (ended.action === 'approve') onApproved(ended.changed.map(toApproved))
    if (ended.refused.length > 0 || ended.remaining.length > 0) setOutcome(ended)
    else showDone(ended)
  })
  // Separate, so that a rejection can be undone while another action runs.
  const undo = useBulkAction(({ action, done, changed, refused, remaining, failure }) => {
    const problem = failure ?? refused[0]?.message
    const total = done + refused.length + remaining.length
    if (problem === undefined) banner.success(describeDone(action, changed.length))
    else banner.error(describePartialUndo(done, total, problem))
  })
  const selectAll = useMutation({
    mutationFn: () => fetchMatchingDocuments(filter, maxSelectedAtOnce),
    onSuccess: (matches) => selected.set(matches, true),
    onError: (error) => {
      log(texts.documents.selectAllFailed, error)
      banner.error(messageOf(error, texts.documents.selectAllFailed))
    },
  })
  function takeFocus(): void {
    findContainer()?.focus()
  }
  function showDone({ action, done, changed }: BulkOutcome): void {
    const isUndoable = action === 'reject' && changed.length > 0
    const undoAction = {
      label: 'Undo',
      run: () => undo.start('undo-reject', changed),
      returnFocus: findContainer,
    }
    const text = describeDone(action, done)
    // The notice below the list shows approvals.
    if (action === 'approve') banner.announce(text)
    else banner.success(text, { action: isUndoable ? undoAction : undefined })
    // As after the rejection of one document. Wait until the button is rendered.
    const hasFocus = document.activeElement === findContainer()
    if (isUndoable && isByKeyboard.current && hasFocus) setTimeout(() => findBannerAction()?.focus(), 0)
  }
  function run(action: SelectionAction, reason = ''): void {
    setActionToConfirm(null)
    bulk.start(action, selected.documents, reason)
  }
  function request(action: SelectionAction): void {
    if (!needsConfirmation(action)) {
      run(action)
      takeFocus()
      return
    }
    trigger.current = globalThis.document.activeElement
    setActionToConfirm(action)
  }
  // Documents that were decided stay in the list until the next visit.
  const decidedCount = documents.filter((document) => !selected.isSelectable(document)).length
  const selectableTotal = total - decidedCount
  const selectableCount = Math.min(selectableTotal, maxSelectedAtOnce)
  return {
    selected,
    actions: actionsByTab[view.status].filter((action) => can(requiredPermission[action])),
    progress: bulk.progress ?? undo.progress,
    stop: (): void => {
      bulk.stop()
      undo.stop()
    },
    request,
    actionToConfirm,
    /** The button that opened the confirmation; null if the progress bar has replaced it. */
    getTrigger: (): HTMLElement | null =>
      trigger.current instanceof HTMLElement && trigger.current.isConnected ? trigger.current : null,
    confirmReject(rejection: { reason: string; isByKeyboard: boolean }): void {
      isByKeyboard.current = rejection.isByKeyboard
      run('reject', rejection.reason)
    },
    confirmDelete(): void {
      run('delete')
      takeFocus()
    },
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
      isComplete: selectableCount === selectableTotal,
      isBusy: selectAll.isPending,
      start: (): void => selectAll.mutate(),
    },
    outcome,
    closeOutcome: (): void => {
      setOutcome(null)
      // The documents that were rejected can still be returned.
      if (outcome?.action === 'reject' && outcome.changed.length > 0) showDone(outcome)
    },
  }
}

export type ReviewSelection = ReturnType<typeof useReviewSelection>
