import type { Document, DocumentVersion } from '@lyceum/contract/documents'
import { ChevronRight, FileText } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { formatDateTime } from '#lib/date-time.ts'
import { formatFileSize } from '#lib/file-size.ts'
import { banner } from '#ui/banner.ts'
import { cx } from '#ui/cx.ts'
import { Badge } from '#ui/Status.tsx'
import { DeleteDocumentDialog } from './DeleteDocumentDialog.tsx'
import { DocumentActions } from './DocumentActions.tsx'
import { DocumentDetails } from './DocumentDetails.tsx'
import { DocumentVersions } from './DocumentVersions.tsx'
import { IndexNotes, IndexStatus } from './IndexStatus.tsx'
import { DocumentPreview } from './preview/DocumentPreview.tsx'
import { RejectionReason } from './RejectionReason.tsx'
import { ReviewStatus } from './ReviewStatus.tsx'
import { RejectDocument } from './review/RejectDocument.tsx'
import { SelectionCheckbox } from './review/SelectionCheckbox.tsx'
import { UndoRejection } from './review/UndoRejection.tsx'
import type { Selection } from './review/use-selection.ts'
import { useUndoOffer } from './review/use-undo-offer.ts'
import { ReplaceDialog } from './upload/ReplaceDialog.tsx'
import { useDocumentActions } from './use-document-actions.ts'
import { useSteadyPlace } from './use-steady-place.ts'
import { formatVersion, isProposed } from './version-labels.ts'

const toggleSelector = 'button[aria-expanded]'

function getRowId({ _id }: Document): string {
  return `document-${_id}`
}

/** The button that expands the row of a document; null if no row shows it. */
export function findRowToggle(subject: Document): HTMLElement | null {
  return document.getElementById(getRowId(subject))?.querySelector<HTMLElement>(toggleSelector) ?? null
}

/** Starting to reindex removes its button. Keeps the focus in the row. */
function useFocusAfterReindexing(row: RefObject<HTMLElement | null>, isStarted: boolean): void {
  useEffect(() => {
    if (isStarted && document.activeElement === document.body)
      row.current?.querySelector<HTMLElement>(toggleSelector)?.focus({ preventScroll: true })
  }, [row, isStarted])
}

/** When the row is removed, moves the focus to a neighboring row or to the list's container. */
function useFocusAfterRemoval(row: RefObject<HTMLElement | null>, isBeingRemoved: boolean): void {
  const isRemoved = useRef(isBeingRemoved)
  isRemoved.current = isBeingRemoved
  useLayoutEffect(() => {
    const element = row.current
    return () => {
      if (!isRemoved.current || element === null) return
      const neighbor = element.nextElementSibling ?? element.previousElementSibling
      const next =
        neighbor?.querySelector<HTMLElement>(toggleSelector) ??
        element.closest<HTMLElement>('[tabindex="-1"]')
      // Wait for the closing dialog, which tries to return the focus to the removed delete button.
      setTimeout(() => next?.focus(), 0)
    }
  }, [row])
}

/** A decision may remove its button. Keeps the focus in the row. */
function useFocusAfterDecision(row: RefObject<HTMLElement | null>, { status }: Document): void {
  const knownStatus = useRef(status)
  useEffect(() => {
    if (knownStatus.current !== status && document.activeElement === document.body)
      row.current?.querySelector<HTMLElement>(toggleSelector)?.focus({ preventScroll: true })
    knownStatus.current = status
  }, [row, status])
}

interface Props {
  document: Document
  isReview: boolean
  /** Only logs failures instead of showing them. */
  isQuiet: boolean
  selection?: Selection | undefined
  /** Opens the preview of the current version. */
  onPreview: (document: Document) => void
}

/** Type, size, uploader and decision in one line. */
function summarize(document: Document): string {
  const { status, uploadedBy, createdAt, version } = document
  const uploader = `${isProposed(document) ? 'Proposed by ' : ''}${uploadedBy.name}`
  const parts = [
    document.fileType.toUpperCase(),
    formatFileSize(document.fileSize),
    // With several versions, the version history shows the dates.
    version.count > 1 ? uploader : `${uploader}, ${formatDateTime(createdAt)}`,
  ]
  const [by, at] =
    status === 'approved'
      ? [document.approvedBy, document.approvedAt]
      : [document.rejectedBy, document.rejectedAt]
  if (status !== 'pending' && by !== null) {
    parts.push(`${status} by ${by.name}${at === null ? '' : `, ${formatDateTime(at)}`}`)
  }
  return parts.join(' · ')
}

interface RowHeaderProps {
  document: Document
  isOpen: boolean
  detailsId: string
  onToggle: () => void
  /** Shown after the review status. */
  undo: ReactNode
}

function RowHeader({ document, isOpen, detailsId, onToggle, undo }: RowHeaderProps) {
  const versions = formatVersion(document)
  return (
    <div className="min-w-0 max-sm:col-start-1 max-sm:col-end-3 max-sm:row-start-1">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? detailsId : undefined}
        onClick={onToggle}
        // On phones, the menu is at the end of the line.
        className="-ms-1 flex max-w-[calc(100%-2rem)] items-start gap-2 rounded-control px-1 py-1 text-start hover:text-link sm:max-w-full"
      >
        <ChevronRight
          aria-hidden="true"
          className={cx('mt-0.5 size-4 shrink-0 text-muted transition-transform', isOpen && 'rotate-90')}
        />
        <FileText aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted" strokeWidth={1.75} />
        <span dir="auto" className={cx('wrap-anywhere font-medium', !isOpen && 'line-clamp-2')}>
          {document.originalName}
        </span>
      </button>
      <div className="flex flex-col gap-1.5 ps-6">
        <p dir="auto" className="wrap-anywhere line-clamp-3 text-start text-muted text-xs tabular-nums">
          {summarize(document)}
        </p>
        {versions !== null && <p className="text-muted text-xs tabular-nums">{versions}</p>}
        <div className="flex flex-wrap gap-1.5">
          <ReviewStatus status={document.status} />
          {undo}
          <IndexStatus index={document.index} />
          {document.isProposal && <Badge>Proposal</Badge>}
        </div>
        {!isOpen && <RejectionReason reason={document.rejectionReason} className="line-clamp-3" />}
        <IndexNotes index={document.index} />
      </div>
    </div>
  )
}

type OpenDialog = { kind: 'preview'; version: DocumentVersion } | { kind: 'reject' | 'replace' | 'delete' }

/** A document in a list: its state, its actions and, when expanded, its details and versions. */
export function DocumentRow({ document, isReview, isQuiet, selection, onPreview }: Props) {
  const detailsId = useId()
  const [isOpen, setIsOpen] = useState(false)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const row = useRef<HTMLLIElement>(null)
  function findToggle(): HTMLElement | null {
    return row.current?.querySelector<HTMLElement>(toggleSelector) ?? null
  }
  const undoButton = useRef<HTMLButtonElement>(null)
  const undo = useUndoOffer(document, findToggle)
  // During the review, the notice below the list shows the approval.
  const actions = useDocumentActions(isQuiet, undo.offer, isReview ? banner.announce : banner.success)
  useFocusAfterRemoval(row, actions.remove.isPending || actions.remove.isSuccess)
  useFocusAfterDecision(row, document)
  const rememberPlace = useSteadyPlace(row, document.status, actions.approve.isPending)
  useFocusAfterReindexing(row, actions.reindex.isSuccess)
  function close(): void {
    setDialog(null)
  }
  const isSelected = selection?.has(document._id) ?? false
  return (
    <li
      ref={row}
      id={getRowId(document)}
      onClickCapture={rememberPlace}
      className={cx(
        'flex items-start gap-3 px-3 py-3 sm:px-4',
        isSelected && 'bg-accent-soft dark:bg-accent-soft/50',
      )}
    >
      {selection && (
        <div className="pt-1.5">
          <SelectionCheckbox
            label={`Select ${document.originalName}`}
            isChecked={isSelected}
            disabled={!selection.isSelectable(document)}
            onChange={(next) => selection.set([document], next)}
          />
        </div>
      )}
      <div className="min-w-0 flex-1">
        <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 gap-y-2">
          <RowHeader
            document={document}
            isOpen={isOpen}
            detailsId={detailsId}
            onToggle={() => setIsOpen(!isOpen)}
            undo={
              undo.offered && (
                <UndoRejection ref={undoButton} document={document} offered={undo.offered} undo={undo} />
              )
            }
          />
          <DocumentActions
            document={document}
            actions={actions}
            isReview={isReview}
            onPreview={() => onPreview(document)}
            onReject={() => setDialog({ kind: 'reject' })}
            onReplace={() => setDialog({ kind: 'replace' })}
            onDelete={() => setDialog({ kind: 'delete' })}
          />
        </div>
        {isOpen && (
          <div id={detailsId} className="mt-3">
            <DocumentDetails document={document} />
            <DocumentVersions
              document={document}
              isQuiet={isQuiet}
              onPreview={(version) => setDialog({ kind: 'preview', version })}
              onDownload={(version) => actions.download.mutate({ document, version })}
            />
          </div>
        )}
      </div>
      {dialog?.kind === 'reject' && (
        <RejectDocument
          document={document}
          reject={actions.reject}
          onClose={close}
          finalFocus={(isByKeyboard) => {
            // Saves keyboard users the search for the button. Wait until it is rendered.
            if (isByKeyboard) setTimeout(() => undoButton.current?.focus(), 0)
            return findToggle() ?? true
          }}
        />
      )}
      <DeleteDocumentDialog
        document={document}
        remove={actions.remove}
        open={dialog?.kind === 'delete'}
        onClose={close}
        onConfirm={() => {
          selection?.set([document], false)
          undo.withdraw()
        }}
      />
      {dialog?.kind === 'replace' && <ReplaceDialog document={document} onClose={close} />}
      {dialog?.kind === 'preview' && (
        <DocumentPreview document={document} version={dialog.version} isQuiet={isQuiet} onClose={close} />
      )}
    </li>
  )
}
