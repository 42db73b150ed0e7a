import type { Document, DocumentKind } from '@lyceum/contract/documents'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { FileClock } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { cx } from '#ui/cx.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { PdfView } from '#ui/PdfView.tsx'
import { Loading } from '#ui/Spinner.tsx'
import { type DocumentSource, documentFileQuery, documentTextQuery, isUnfinished } from '../queries.ts'
import { reportFailure } from '../use-document-actions.ts'
import { plainText } from './plain-text.ts'
import { TextView } from './TextView.tsx'

/** What of a version is needed to show it. */
interface ShownVersion {
  number: number
  originalName: string
  fileType: DocumentKind
}

interface Props {
  document: Document
  /** An earlier version instead of the present one. */
  version?: ShownVersion | undefined
  isQuiet: boolean
  onClose: () => void
}

interface ViewProps {
  source: DocumentSource
  shown: ShownVersion
  /** Whether its text is on its way. */
  isUnfinished: boolean
  onFailure: (error: unknown) => void
}

const opening = <Loading label="Opening the document…" />

function useFailure(error: Error | null, onFailure: ViewProps['onFailure']): void {
  const report = useEffectEvent(onFailure)
  useEffect(() => {
    if (error !== null) report(error)
  }, [error])
}

function PdfDocument({ source, shown, onFailure }: ViewProps) {
  const { data, error } = useQuery(documentFileQuery(source))
  useFailure(error, onFailure)
  if (data === undefined) return opening
  return <PdfView file={data} label={`Page of ${shown.originalName}`} />
}

/** A plain text that nobody has read for the index yet is its own preview. */
function UnreadText({ source, shown, onFailure }: ViewProps) {
  const file = useQuery(documentFileQuery(source))
  const { data, error } = useQuery({
    queryKey: ['document-plain-text', source._id, source.version],
    queryFn: () => plainText(file.data ?? new Blob()),
    enabled: file.data !== undefined,
    gcTime: 0,
  })
  useFailure(file.error ?? error, onFailure)
  if (data === undefined) return opening
  return (
    <TextView
      text={{
        title: shown.originalName,
        fileType: 'txt',
        pages: [{ page: null, start: 0, text: data }],
        total: data.length,
      }}
      label={`Text of ${shown.originalName}`}
    />
  )
}

function TextDocument(props: ViewProps) {
  const { source, shown, isUnfinished, onFailure } = props
  const text = useInfiniteQuery(documentTextQuery(source))
  useFailure(text.error, onFailure)
  const parts = text.data?.pages
  const first = parts?.[0]
  if (parts === undefined || first === undefined) return opening
  const pages = parts.flatMap((part) => part.pages)
  if (pages.length === 0) {
    if (shown.fileType === 'txt') return <UnreadText {...props} />
    return (
      <EmptyState
        icon={FileClock}
        hint={
          isUnfinished
            ? 'It is being read right now. Please look again in a moment.'
            : 'The text is read once the document is approved and indexed. The original can be downloaded.'
        }
      >
        The text has not been read yet.
      </EmptyState>
    )
  }
  return (
    <div className="flex h-full flex-col">
      <div className="min-h-0 flex-1">
        <TextView text={{ ...first, pages }} label={`Text of ${shown.originalName}`} />
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

interface FrameProps {
  children: ReactNode
  /** What is asked about it stands below, and on a phone in sight together with it. */
  hasButtons?: boolean
}

/** The window a document is looked at in, whatever it shows. */
export function PreviewFrame({ children, hasButtons = false }: FrameProps) {
  return (
    <div
      className={cx(
        'h-[70vh] overflow-hidden rounded-card border border-hairline',
        hasButtons && 'max-sm:h-[44vh]',
      )}
    >
      {children}
    </div>
  )
}

/** Shows a document: a PDF as it is, the others by their text. */
export function DocumentPreview({ document, version, isQuiet, onClose }: Props) {
  const shown = version ?? { ...document, number: document.version.number }
  const View = shown.fileType === 'pdf' ? PdfDocument : TextDocument
  const place = `In ${document.channel.name}`
  return (
    <Dialog
      open
      onClose={onClose}
      size="wide"
      title={shown.originalName}
      description={
        <span className="wrap-anywhere line-clamp-1">
          {document.version.count > 1 ? `Version ${shown.number} · ${place}` : place}
        </span>
      }
    >
      <PreviewFrame>
        <View
          source={{ _id: document._id, version: shown.number }}
          shown={shown}
          isUnfinished={version === undefined && isUnfinished(document)}
          onFailure={(error) => {
            reportFailure(isQuiet, texts.documents.previewFailed, error)
            onClose()
          }}
        />
      </PreviewFrame>
    </Dialog>
  )
}
