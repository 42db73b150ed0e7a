import type { Citation } from '@lyceum/contract/chats'
import { useQuery } from '@tanstack/react-query'
import { FileX, TriangleAlert } from 'lucide-react'
import { ApiError } from '#api/api-error.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { PdfView } from '#ui/PdfView.tsx'
import { Loading } from '#ui/Spinner.tsx'
import { type DocumentSource, documentFileQuery, documentPartQuery } from '../queries.ts'
import { TextView } from './TextView.tsx'

/** How many characters before the passage are loaded with it. */
const leadingCharacters = 20_000

function toSource({ documentId, version }: Citation): DocumentSource {
  return { _id: documentId, version }
}

function OriginalPage({ citation }: { citation: Citation }) {
  const file = useQuery(documentFileQuery(toSource(citation)))
  if (file.data === undefined) return <LoadState error={file.error} retry={file.refetch} />
  return (
    <PdfView
      file={file.data}
      page={citation.page ?? undefined}
      highlight={{ quote: citation.quote }}
      label={`Page of ${citation.title}`}
    />
  )
}

function DocumentText({ citation }: { citation: Citation }) {
  const text = useQuery(
    documentPartQuery(toSource(citation), Math.max(0, citation.charStart - leadingCharacters)),
  )
  if (text.data === undefined) return <LoadState error={text.error} retry={text.refetch} />
  return (
    <TextView
      text={text.data}
      charStart={citation.charStart}
      charEnd={citation.charEnd}
      label={`Text of ${citation.title}`}
    />
  )
}

interface LoadStateProps {
  error: Error | null
  retry: () => Promise<unknown>
}

function LoadState({ error, retry }: LoadStateProps) {
  if (error === null) return <Loading label="Opening the document…" />
  if (error instanceof ApiError && error.status === 404) {
    return (
      <EmptyState icon={FileX} hint="It has been deleted, or it is no longer approved for this channel.">
        This document is no longer available.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={TriangleAlert} action={<Button onClick={() => void retry()}>Try again</Button>}>
      The document could not be opened.
    </EmptyState>
  )
}

interface Props {
  /** Null while closed. */
  citation: Citation | null
  onClose: () => void
}

/** The cited document, opened at the cited passage. */
export function SourceDialog({ citation, onClose }: Props) {
  return (
    <Dialog
      open={citation !== null}
      onClose={onClose}
      size="wide"
      title={citation?.title ?? ''}
      description={citation === null ? undefined : describeCitation(citation)}
    >
      {citation !== null && (
        <div className="h-[70vh] overflow-hidden rounded-card border border-hairline">
          {citation.fileType === 'pdf' ? (
            <OriginalPage citation={citation} />
          ) : (
            <DocumentText citation={citation} />
          )}
        </div>
      )}
    </Dialog>
  )
}

function describeCitation({ n, page, headingPath, isOutdated }: Citation): string {
  const position = page === null ? headingPath.join(' › ') : `page ${page}`
  const source = position === '' ? `Source ${n}` : `Source ${n}, ${position}`
  return isOutdated ? `${source}. This is the cited version. A newer version exists.` : source
}
