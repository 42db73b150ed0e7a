import type { Document } from '@lyceum/contract/documents'
import { ChevronRight, FileText } from 'lucide-react'
import { useId, useState } from 'react'
import { dateTime } from '#lib/date-time.ts'
import { fileSize } from '#lib/file-size.ts'
import { cx } from '#ui/cx.ts'
import { DeleteDocumentDialog } from './DeleteDocumentDialog.tsx'
import { DocumentActions } from './DocumentActions.tsx'
import { DocumentDetails } from './DocumentDetails.tsx'
import { DocumentPreview } from './DocumentPreview.tsx'
import { IndexNotes, IndexStatus } from './IndexStatus.tsx'
import { ReviewStatus } from './ReviewStatus.tsx'
import { useDeeds } from './use-deeds.ts'

interface Props {
  document: Document
  isReview: boolean
  /** Failures are only logged. */
  isQuiet: boolean
}

/** Who brought it and who decided, in one line. */
const summaryOf = (document: Document): string => {
  const { status, approvedBy, rejectedBy, uploadedBy, createdAt } = document
  const parts = [
    document.fileType.toUpperCase(),
    fileSize(document.fileSize),
    `${uploadedBy.name}, ${dateTime(createdAt)}`,
  ]
  if (status === 'approved' && approvedBy !== null) parts.push(`approved by ${approvedBy.name}`)
  if (status === 'rejected' && rejectedBy !== null) parts.push(`rejected by ${rejectedBy.name}`)
  return parts.join(' · ')
}

/** A document in a list: what it is and where it stands, what can be done with it, and on request all about it. */
export const DocumentRow = ({ document, isReview, isQuiet }: Props) => {
  const detailsId = useId()
  const deeds = useDeeds(isQuiet)
  const [isOpen, setIsOpen] = useState(false)
  const [window, setWindow] = useState<'preview' | 'delete' | null>(null)
  const close = (): void => setWindow(null)
  return (
    <li className="px-3 py-3 sm:px-4">
      <div className="flex flex-col gap-x-4 gap-y-2 md:flex-row md:items-start">
        <div className="min-w-0 flex-1">
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? detailsId : undefined}
            onClick={() => setIsOpen(!isOpen)}
            className="-mx-1 flex max-w-full items-start gap-2 rounded-control px-1 py-1 text-start hover:text-link"
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
              {summaryOf(document)}
            </p>
            <div className="flex flex-wrap gap-1.5">
              <ReviewStatus status={document.status} />
              <IndexStatus index={document.index} />
            </div>
            <IndexNotes index={document.index} />
          </div>
        </div>
        <div className="max-md:sm:ps-5 md:shrink-0">
          <DocumentActions
            document={document}
            deeds={deeds}
            isReview={isReview}
            onPreview={() => setWindow('preview')}
            onDelete={() => setWindow('delete')}
          />
        </div>
      </div>
      {isOpen && (
        <div id={detailsId} className="mt-3">
          <DocumentDetails document={document} />
        </div>
      )}
      <DeleteDocumentDialog
        document={document}
        remove={deeds.remove}
        open={window === 'delete'}
        onClose={close}
      />
      {window === 'preview' && <DocumentPreview document={document} isQuiet={isQuiet} onClose={close} />}
    </li>
  )
}
