import { Eye, RotateCw, X } from 'lucide-react'
import { useRef } from 'react'
import { formatFileSize } from '#lib/file-size.ts'
import { useLostFocus } from '#lib/use-lost-focus.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { Progress } from '#ui/Progress.tsx'
import { Status } from '#ui/Status.tsx'
import { ChooseFileButton } from './ChooseFileButton.tsx'
import { type UploadEntry, uploads } from './upload-queue.ts'

interface Props {
  entry: UploadEntry
  onPreview: () => void
  /** Another file is chosen in the place of one that cannot be uploaded. */
  onReplace: (file: File) => void
  /** Called when the row disappears while it has the focus. */
  onLostFocus: () => void
}

function State({ entry: { state, progress, reason } }: Pick<Props, 'entry'>) {
  switch (state) {
    case 'preview':
      return <Status tone="warning">Waiting for your preview</Status>
    case 'waiting':
      return <Status tone="neutral">Waiting</Status>
    case 'sending':
      // Everything is sent, but the server has not responded yet.
      return progress >= 1 ? <Progress label="Storing…" /> : <Progress label="Uploading" value={progress} />
    case 'done':
      return <Status tone="success">Uploaded, pending approval</Status>
    case 'broken':
    case 'failed':
      return (
        <p role="alert" className="break-words text-danger text-sm">
          {reason}
        </p>
      )
  }
}

const cancelLabels = {
  preview: 'Remove',
  broken: 'Skip',
  waiting: 'Cancel upload',
  sending: 'Cancel upload',
  failed: 'Remove',
}

export function UploadRow({ entry, onPreview, onReplace, onLostFocus }: Props) {
  const { id, file, state, canRetry } = entry
  const row = useRef<HTMLLIElement>(null)
  useLostFocus(row, onLostFocus)
  const needsOtherFile = state === 'broken' || (state === 'failed' && !canRetry)
  return (
    <li ref={row} className="flex items-start gap-2 py-2.5">
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <p className="flex items-baseline gap-2 text-sm">
          <span dir="auto" className="wrap-anywhere line-clamp-2 min-w-0 text-left font-medium">
            {file.name}
          </span>
          <span className="shrink-0 text-muted text-xs tabular-nums">{formatFileSize(file.size)}</span>
        </p>
        <div>
          <State entry={entry} />
        </div>
        {needsOtherFile && (
          <ChooseFileButton
            size="small"
            className="self-start"
            aria-description={file.name}
            onFile={onReplace}
          />
        )}
      </div>
      {state === 'preview' && (
        <IconButton icon={Eye} label="Preview" aria-description={file.name} onClick={onPreview} />
      )}
      {state === 'failed' && canRetry && (
        <IconButton
          icon={RotateCw}
          label="Try again"
          aria-description={file.name}
          onClick={() => uploads.release([id])}
        />
      )}
      {state !== 'done' && (
        <IconButton
          icon={X}
          label={cancelLabels[state]}
          aria-description={file.name}
          tooltipAlign="end"
          onClick={() => uploads.cancel([id])}
        />
      )}
    </li>
  )
}
