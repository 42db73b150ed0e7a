import type { Citation } from '@lyceum/contract/citations'
import { useQuery } from '@tanstack/react-query'
import { FileX, TriangleAlert } from 'lucide-react'
import { ApiError } from '#api/api-error.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { PdfView } from '#ui/PdfView.tsx'
import { Loading } from '#ui/Spinner.tsx'
import { type ChatAddress, type DocumentSource, documentFileQuery, documentPartQuery } from '../queries.ts'
import { TextView } from './text/TextView.tsx'

/** How many characters before the passage are loaded with it. */
const leadingCharacters = 20_000

function toSource({ citation, chat }: Props): DocumentSource {
  const { documentId, version, isAttachment } = citation
  return { _id: documentId, version, ...(isAttachment === true ? { chat } : {}) }
}

interface Props {
  citation: Citation
  /** The chat of the reply, from which attached files are read. */
  chat?: ChatAddress | undefined
  /** On a small screen, a whole page of a PDF would be too small to read. */
  isSmall?: boolean
}

function OriginalPage({ citation, chat, isSmall = false }: Props) {
  const file = useQuery(documentFileQuery(toSource({ citation, chat })))
  if (file.data === undefined) return <LoadState error={file.error} retry={file.refetch} />
  return (
    <PdfView
      file={file.data}
      page={citation.page ?? undefined}
      highlight={citation.quote === '' ? undefined : { quote: citation.quote }}
      isEnlarged={isSmall}
      label={`Page of ${citation.title}`}
    />
  )
}

function DocumentText({ citation, chat }: Props) {
  const text = useQuery(
    documentPartQuery(toSource({ citation, chat }), Math.max(0, citation.charStart - leadingCharacters)),
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
      <EmptyState icon={FileX} hint="Replies no longer use it.">
        This document was deleted.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={TriangleAlert} action={<Button onClick={() => void retry()}>Try again</Button>}>
      The document could not be opened.
    </EmptyState>
  )
}

/** The cited document at the cited passage. Fills its container. */
export function SourceContent(props: Props) {
  return props.citation.fileType === 'pdf' ? <OriginalPage {...props} /> : <DocumentText {...props} />
}

export function describeCitation({ n, page, headingPath, isOutdated, isAttachment }: Citation): string {
  if (n === 0) return isAttachment === true ? 'Attached file' : 'Approved document'
  const position = page === null ? headingPath.join(' › ') : `page ${page}`
  const source = position === '' ? `Source ${n}` : `Source ${n}, ${position}`
  if (isAttachment === true) return `${source}. Attached file.`
  return isOutdated ? `${source}. This is the cited version. A newer version exists.` : source
}
