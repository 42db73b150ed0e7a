import type { Document, DocumentKind } from '@lyceum/contract/documents'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { FileClock } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useMemo } from 'react'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { cx } from '#ui/cx.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { PdfView } from '#ui/PdfView.tsx'
import { Loading } from '#ui/Spinner.tsx'
import { type DocumentSource, documentFileQuery, documentTextQuery, isBeingIndexed } from '../queries.ts'
import { reportFailure } from '../use-document-actions.ts'
import { TextView } from './text/TextView.tsx'

interface ShownVersion {
  number: number
  originalName: string
  fileType: DocumentKind
}

interface Props {
  document: Document
  /** Defaults to the current version. */
  version?: ShownVersion | undefined
  isQuiet: boolean
  onClose: () => void
}

interface ViewProps {
  source: DocumentSource
  shown: ShownVersion
  /** Whether the document is still being indexed. */
  isBeingIndexed: boolean
  onFailure: (error: unknown) => void
}

const loading = <Loading label="Opening the document…" />

function useReportFailure(error: Error | null, onFailure: ViewProps['onFailure']): void {
  const reportFailure = useEffectEvent(onFailure)
  useEffect(() => {
    if (error !== null) reportFailure(error)
  }, [error])
}

function PdfDocument({ source, shown, onFailure }: ViewProps) {
  const { data, error } = useQuery(documentFileQuery(source))
  useReportFailure(error, onFailure)
  if (data === undefined) return loading
  return <PdfView file={data} label={`Page of ${shown.originalName}`} />
}

const byteOrderMarks: readonly (readonly [encoding: string, bytes: readonly number[]])[] = [
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** Decodes a text file as UTF-8, or as UTF-16 if it starts with a byte order mark. */
export async function readPlainText(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const marked = byteOrderMarks.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))
  return new TextDecoder(marked?.[0] ?? 'utf-8').decode(bytes)
}

/** Previews a text file that has not been indexed yet. */
function UnindexedText({ source, shown, onFailure }: ViewProps) {
  const file = useQuery(documentFileQuery(source))
  const { data, error } = useQuery({
    queryKey: ['document-plain-text', source._id, source.version],
    queryFn: () => readPlainText(file.data ?? new Blob()),
    enabled: file.data !== undefined,
    gcTime: 0,
  })
  useReportFailure(file.error ?? error, onFailure)
  const text = useMemo(() => ({ pages: [{ page: null, start: 0, text: data ?? '' }] }), [data])
  if (data === undefined) return loading
  return <TextView text={text} label={`Text of ${shown.originalName}`} />
}

function TextDocument(props: ViewProps) {
  const { source, shown, isBeingIndexed, onFailure } = props
  const text = useInfiniteQuery(documentTextQuery(source))
  useReportFailure(text.error, onFailure)
  const parts = text.data?.pages
  const shownText = useMemo(
    () =>
      parts && {
        pages: parts.flatMap(({ pages }) => pages),
        blocks: parts.flatMap(({ blocks = [] }) => blocks),
      },
    [parts],
  )
  if (shownText === undefined) return loading
  if (shownText.pages.length === 0) {
    if (shown.fileType === 'txt') return <UnindexedText {...props} />
    return (
      <EmptyState
        icon={FileClock}
        hint={
          isBeingIndexed
            ? 'It is being read right now. Check back in a moment.'
            : 'The text is read once the document is approved and indexed. You can download the original.'
        }
      >
        The text has not been read yet.
      </EmptyState>
    )
  }
  return (
    <div className="flex h-full flex-col">
      <div className="min-h-0 flex-1">
        <TextView text={shownText} label={`Text of ${shown.originalName}`} />
      </div>
      {text.hasNextPage && (
        <div className="flex justify-center border-hairline border-t p-2">
          <Button size="small" busy={text.isFetchingNextPage} onClick={() => void text.fetchNextPage()}>
            Show more text
          </Button>
        </div>
      )}
    </div>
  )
}

interface FrameProps {
  children: ReactNode
  /** Leaves room for the buttons below it on a phone. */
  hasButtons?: boolean
}

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

/** Shows a PDF as it is, and the extracted text of any other document. */
export function DocumentPreview({ document, version, isQuiet, onClose }: Props) {
  const shown = version ?? { ...document, number: document.version.number }
  const View = shown.fileType === 'pdf' ? PdfDocument : TextDocument
  const channelLabel = `In ${document.channel.name}`
  return (
    <Dialog
      open
      onClose={onClose}
      size="wide"
      title={shown.originalName}
      description={
        <span className="wrap-anywhere line-clamp-1">
          {document.version.count > 1 ? `Version ${shown.number} · ${channelLabel}` : channelLabel}
        </span>
      }
    >
      <PreviewFrame>
        <View
          source={{ _id: document._id, version: shown.number }}
          shown={shown}
          isBeingIndexed={version === undefined && isBeingIndexed(document)}
          onFailure={(error) => {
            reportFailure(isQuiet, texts.documents.previewFailed, error)
            onClose()
          }}
        />
      </PreviewFrame>
    </Dialog>
  )
}
