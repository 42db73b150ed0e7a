import type { Document } from '@lyceum/contract/documents'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { FileClock } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { PdfView } from '#ui/PdfView.tsx'
import { Loading } from '#ui/Spinner.tsx'
import { messages } from '../../messages.ts'
import { plainText } from './plain-text.ts'
import { documentFileQuery, documentTextQuery } from './queries.ts'
import { TextView } from './TextView.tsx'
import { reportFailure } from './use-deeds.ts'

interface Props {
  document: Document
  isQuiet: boolean
  onClose: () => void
}

type ViewProps = Pick<Props, 'document'> & { onFailure: (error: unknown) => void }

const opening = <Loading label="Opening the document…" />

const useFailure = (error: Error | null, onFailure: ViewProps['onFailure']): void => {
  const tell = useRef(onFailure)
  tell.current = onFailure
  useEffect(() => {
    if (error !== null) tell.current(error)
  }, [error])
}

const PdfDocument = ({ document, onFailure }: ViewProps) => {
  const { data, error } = useQuery(documentFileQuery(document._id))
  useFailure(error, onFailure)
  if (data === undefined) return opening
  return <PdfView file={data} label={`Page of ${document.originalName}`} />
}

/** A plain text that nobody has read for the index yet is its own preview. */
const UnreadText = ({ document, onFailure }: ViewProps) => {
  const file = useQuery(documentFileQuery(document._id))
  const { data, error } = useQuery({
    queryKey: ['document-plain-text', document._id],
    queryFn: () => plainText(file.data ?? new Blob()),
    enabled: file.data !== undefined,
    gcTime: 0,
  })
  useFailure(file.error ?? error, onFailure)
  if (data === undefined) return opening
  return (
    <TextView
      text={{
        title: document.title,
        fileType: 'txt',
        pages: [{ page: null, start: 0, text: data }],
        total: data.length,
      }}
      label={`Text of ${document.originalName}`}
    />
  )
}

const TextDocument = ({ document, onFailure }: ViewProps) => {
  const text = useInfiniteQuery(documentTextQuery(document._id))
  useFailure(text.error, onFailure)
  const parts = text.data?.pages
  const first = parts?.[0]
  if (parts === undefined || first === undefined) return opening
  const pages = parts.flatMap((part) => part.pages)
  if (pages.length === 0) {
    return document.fileType === 'txt' ? (
      <UnreadText document={document} onFailure={onFailure} />
    ) : (
      <EmptyState
        icon={FileClock}
        hint="The text is read once the document is approved and indexed. The original can be downloaded."
      >
        The text has not been read yet.
      </EmptyState>
    )
  }
  return (
    <div className="flex h-full flex-col">
      <div className="min-h-0 flex-1">
        <TextView text={{ ...first, pages }} label={`Text of ${document.originalName}`} />
      </div>
      {text.hasNextPage && (
        <div className="flex justify-center border-hairline border-t p-2">
          <Button size="small" busy={text.isFetchingNextPage} onClick={() => void text.fetchNextPage()}>
            Show more of the text
          </Button>
        </div>
      )}
    </div>
  )
}

/** The window a document is looked at in, whatever it shows. */
export const PreviewFrame = ({ children }: { children: ReactNode }) => (
  <div className="h-[70vh] overflow-hidden rounded-card border border-hairline">{children}</div>
)

/** Shows a document: a PDF as it is, the others by their text. */
export const DocumentPreview = ({ document, isQuiet, onClose }: Props) => {
  const View = document.fileType === 'pdf' ? PdfDocument : TextDocument
  return (
    <Dialog
      open
      onClose={onClose}
      size="wide"
      title={document.originalName}
      description={<span className="wrap-anywhere line-clamp-1">In {document.channel.name}</span>}
    >
      <PreviewFrame>
        <View
          document={document}
          onFailure={(error) => {
            reportFailure(isQuiet, messages.documents.previewFailed, error)
            onClose()
          }}
        />
      </PreviewFrame>
    </Dialog>
  )
}
