import { type Document, getAllowedActions } from '@lyceum/contract/documents'
import { ArrowRight, Check, X } from 'lucide-react'
import { type RefObject, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { usePermissionCheck } from '#features/auth/use-can.ts'
import { Button } from '#ui/Button.tsx'
import { bannerStore } from '#ui/banner.ts'
import { findRowToggle } from '../DocumentRow.tsx'
import { DocumentPreview } from '../preview/DocumentPreview.tsx'
import { ReviewStatus } from '../ReviewStatus.tsx'
import { ChangesByApproval } from '../test-bench/AnswerChanges.tsx'
import { type Actions, useDocumentActions } from '../use-document-actions.ts'
import { RejectDocument } from './RejectDocument.tsx'
import { offerUndoInRow, useUndoInBanner } from './use-undo-offer.ts'

/** The document as it is now. Rejecting a new version brings back the one before it, which was not reviewed here. */
function toReviewed(shown: Document, current: Document = shown): Document {
  return current.version.number < shown.version.number ? { ...shown, status: 'rejected' } : current
}

/** The pending document after the given one, or before it if none follows. */
function findNextPending(documents: readonly Document[], { _id }: Document): Document | undefined {
  const index = documents.findIndex((document) => document._id === _id)
  const others = [...documents.slice(index + 1), ...documents.slice(0, Math.max(0, index))]
  return others.find(({ status }) => status === 'pending')
}

/** Three buttons fit on one line of a phone. */
const buttonPadding = 'max-sm:px-3'

interface FooterProps {
  document: Document
  actions: Actions
  next: Document | undefined
  /** The button to go on with after a decision. */
  continueButton: RefObject<HTMLButtonElement | null>
  onReject: () => void
  onNext: (next: Document) => void
  onClose: () => void
}

function Decision({ document, actions: { approve, reject }, onReject }: FooterProps) {
  const can = usePermissionCheck()
  const allowed = getAllowedActions(document.status, document.fileType)
  const isDeciding = approve.isPending || reject.isPending
  return (
    <>
      {allowed.reject && can('canRejectDocuments') && (
        <Button className={buttonPadding} busy={reject.isPending} onClick={() => !isDeciding && onReject()}>
          {!reject.isPending && <X aria-hidden="true" className="size-4 text-danger max-sm:hidden" />}
          Reject
        </Button>
      )}
      {allowed.approve && can('canApproveDocuments') && (
        <Button
          variant="primary"
          className={buttonPadding}
          busy={approve.isPending}
          onClick={() => !isDeciding && approve.mutate({ document })}
        >
          {!approve.isPending && <Check aria-hidden="true" className="size-4 max-sm:hidden" />}
          Approve
        </Button>
      )}
    </>
  )
}

function Footer(props: FooterProps) {
  const { document, actions, next, continueButton, onNext, onClose } = props
  const isDecided = document.status !== 'pending'
  const isDeciding = actions.approve.isPending || actions.reject.isPending
  return (
    <>
      {isDecided && (
        <span className="me-auto self-center">
          <ReviewStatus status={document.status} />
        </span>
      )}
      {next !== undefined && (
        <Button
          ref={continueButton}
          variant={isDecided ? 'primary' : 'secondary'}
          className={buttonPadding}
          onClick={() => !isDeciding && onNext(next)}
        >
          Next pending
          <ArrowRight aria-hidden="true" className="size-4 max-sm:hidden" />
        </Button>
      )}
      {next === undefined && isDecided && (
        <Button ref={continueButton} variant="primary" onClick={onClose}>
          Close
        </Button>
      )}
      <Decision {...props} />
    </>
  )
}

/** The notice about the approval may have moved the row out of view. Runs after the dialog has moved the focus. */
function showFocusedRow(): void {
  setTimeout(() => document.activeElement?.scrollIntoView({ block: 'nearest' }), 0)
}

interface Props {
  /** The documents of the list, in its order. */
  documents: readonly Document[]
  /** The document to begin with. */
  opened: Document
  isQuiet: boolean
  onClose: () => void
}

/** The preview of a document. A pending one can be decided there, and the next pending one follows. */
export function ReviewPreview({ documents, opened, isQuiet, onClose }: Props) {
  const can = usePermissionCheck()
  const [shown, setShown] = useState(opened)
  const [isRejecting, setIsRejecting] = useState(false)
  const continueButton = useRef<HTMLButtonElement>(null)
  const document = toReviewed(
    shown,
    documents.find(({ _id }) => _id === shown._id),
  )
  const offerUndo = useUndoInBanner(() => continueButton.current ?? findRowToggle(document))
  const lastRejected = useRef<Document>(null)
  const actions = useDocumentActions(isQuiet, (rejected) => {
    lastRejected.current = rejected
    offerUndo(rejected)
  })
  const moveFocus = useEffectEvent(() => {
    if (!isRejecting) continueButton.current?.focus()
  })
  // The decision removes the button that was pressed. Move the focus before the dialog notices that it was lost.
  const decidedId = document.status === 'pending' ? null : document._id
  useLayoutEffect(() => {
    if (decidedId !== null) moveFocus()
  }, [decidedId])
  const isReview = opened.status === 'pending' && (can('canApproveDocuments') || can('canRejectDocuments'))
  function close(): void {
    const { entry } = bannerStore.get()
    const rejected = entry?.action === undefined ? null : lastRejected.current
    // The page would show the result again. An offer to undo it is shown in the row, where it covers nothing.
    if (rejected !== null && findRowToggle(rejected) !== null) {
      offerUndoInRow(rejected)
      bannerStore.clear()
    } else if (entry?.tone === 'success' && entry.action === undefined) bannerStore.clear()
    onClose()
  }
  function stopRejecting(): void {
    setIsRejecting(false)
  }
  // Wait until the button is rendered.
  function focusContinue(): void {
    setTimeout(() => continueButton.current?.focus(), 0)
  }
  return (
    <DocumentPreview
      document={document}
      isQuiet={isQuiet}
      onClose={close}
      finalFocus={() => {
        showFocusedRow()
        // A decision removes the button that opened the preview.
        const isOpenerThere = document._id === opened._id && decidedId === null
        return isOpenerThere || (findRowToggle(document) ?? true)
      }}
      footer={
        isReview && (
          <Footer
            document={document}
            actions={actions}
            next={findNextPending(documents, document)}
            continueButton={continueButton}
            onReject={() => setIsRejecting(true)}
            onNext={setShown}
            onClose={close}
          />
        )
      }
    >
      {isReview && <ChangesByApproval key={document._id} document={document} />}
      {isRejecting && (
        <RejectDocument
          document={document}
          reject={actions.reject}
          onClose={stopRejecting}
          finalFocus={() => {
            focusContinue()
            return false
          }}
        />
      )}
    </DocumentPreview>
  )
}
