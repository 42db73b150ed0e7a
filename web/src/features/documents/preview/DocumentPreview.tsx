import type { Document, DocumentKind } from '@lyceum/contract/documents'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { FileClock, FileX } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useMemo } from 'react'
import { ApiError, isRetryable } from '#api/api-error.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { cx } from '#ui/cx.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { PdfView } from '#ui/PdfView.tsx'
import { Loading } from '#ui/Spinner.tsx'
import { type DocumentSource, documentFileQuery, documentTextQuery } from '../queries.ts'
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
  /** Buttons on one line. */
  footer?: ReactNode
  /** As of `Dialog`. */
  finalFocus?: () => HTMLElement | boolean
  /** Content above the preview, such as another dialog. */
  children?: ReactNode
}

interface ViewProps {
  source: DocumentSource
  shown: ShownVersion
  /** What to do about a file that cannot be shown. */
  advice: string
  onFailure: (error: unknown) => void
}

const loading = <Loading label="Opening the document…" />

function useReportFailure(error: Error | null, onFailure: ViewProps['onFailure']): void {
  const reportFailure = useEffectEvent(onFailure)
  useEffect(() => {
    if (error !== null) reportFailure(error)
  }, [error])
}

function PdfDocument({ source, shown, advice, onFailure }: ViewProps) {
  const { data, error } = useQuery(documentFileQuery(source))
  useReportFailure(error, onFailure)
  if (data === undefined) return loading
  return <PdfView file={data} label={`Page of ${shown.originalName}`} advice={advice} />
}

/** Whether the server says why it cannot read the text. Reviewers need the reason even on a quiet screen. */
function isTextRefusal(error: Error | null): error is ApiError {
  return error instanceof ApiError && (error.code === 'attachment.unreadable' || error.code === 'server.busy')
}

interface RefusalProps extends Pick<ViewProps, 'advice'> {
  reason: ApiError
  retry: () => Promise<unknown>
}

function TextRefusal({ reason, advice, retry }: RefusalProps) {
  const canRetry = isRetryable(reason)
  return (
    <div role="alert" data-unreadable>
      <EmptyState
        icon={canRetry ? FileClock : FileX}
        hint={!canRetry && `${advice} You can download the original.`}
        action={canRetry && <Button onClick={() => void retry()}>Try again</Button>}
      >
        {reason.message}
      </EmptyState>
    </div>
  )
}

function TextDocument({ source, shown, advice, onFailure }: ViewProps) {
  const text = useInfiniteQuery(documentTextQuery(source))
  const refusal = text.data === undefined && isTextRefusal(text.error) ? text.error : null
  useReportFailure(refusal === null ? text.error : null, onFailure)
  const parts = text.data?.pages
  const shownText = useMemo(
    () =>
      parts && {
        pages: parts.flatMap(({ pages }) => pages),
        blocks: parts.flatMap(({ blocks = [] }) => blocks),
      },
    [parts],
  )
  if (refusal !== null) return <TextRefusal reason={refusal} advice={advice} retry={text.refetch} />
  if (shownText === undefined) return loading
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
  /** Leaves less room, because the buttons are on one line. */
  hasButtonLine?: boolean
}

export function PreviewFrame({ children, hasButtons = false, hasButtonLine = false }: FrameProps) {
  return (
    <div
      className={cx(
        'overflow-hidden rounded-card border border-hairline has-[[data-unreadable]]:h-auto!',
        hasButtonLine ? 'h-[min(70vh,calc(100dvh-20rem))]' : 'h-[min(70vh,calc(100dvh-17rem))]',
        hasButtons && 'max-sm:h-[44vh]',
      )}
    >
      {children}
    </div>
  )
}

/** Shows a PDF as it is, and the extracted text of any other document. */
export function DocumentPreview({
  document,
  version,
  isQuiet,
  onClose,
  footer,
  finalFocus,
  children,
}: Props) {
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
      footer={footer}
      {...(finalFocus && { finalFocus })}
    >
      <PreviewFrame hasButtonLine={Boolean(footer)}>
        <View
          key={`${document._id} ${shown.number}`}
          source={{ _id: document._id, version: shown.number }}
          shown={shown}
          advice={
            document.status === 'pending'
              ? 'Reject it and give the reason, so that its uploader can send a working copy.'
              : 'Replace it with a working copy.'
          }
          onFailure={(error) => {
            reportFailure(isQuiet, texts.documents.previewFailed, error)
            onClose()
          }}
        />
      </PreviewFrame>
      {children}
    </Dialog>
  )
}
