import { acceptedFiles } from '@lyceum/contract/documents'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { usePermissionCheck } from '#features/auth/use-can.ts'
import { reviewPath } from '#lib/channel-paths.ts'
import { formatCount } from '#lib/format-count.ts'
import { Button } from '#ui/Button.tsx'
import { buttonStyle } from '#ui/button-style.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FileDrop } from '#ui/FileDrop.tsx'
import { Link } from '#ui/Link.tsx'
import { PdfPreview } from './PdfPreview.tsx'
import { UploadRow } from './UploadRow.tsx'
import { type UploadEntry, uploads } from './upload-queue.ts'
import { useUploads } from './use-uploads.ts'

function isFailure({ state }: UploadEntry): boolean {
  return state === 'broken' || state === 'failed'
}

/** Scrolls to the first new failure, otherwise to the last new entry. What was there at first is not new. */
function useScrollToNew(list: RefObject<HTMLElement | null>, entries: readonly UploadEntry[]): void {
  const earlier = useRef(entries)
  useEffect(() => {
    const before = new Map(earlier.current.map((entry) => [entry.id, entry]))
    earlier.current = entries
    const added = entries.filter(({ id }) => !before.has(id))
    const failure = entries.find((entry) => {
      const previous = before.get(entry.id)
      return isFailure(entry) && (previous === undefined || !isFailure(previous))
    })
    const target = failure ?? added.at(-1)
    if (target !== undefined)
      list.current?.children[entries.indexOf(target)]?.scrollIntoView({ block: 'nearest' })
  }, [list, entries])
}

interface Props {
  channel: { _id: string; name: string }
  /** Where to move the focus on close, if no button opened the dialog. */
  findFocusTarget?: (() => HTMLElement | null) | undefined
  onClose: () => void
}

/** Uploads documents to a channel. Closing it does not cancel uploads. */
export function UploadDialog({ channel, findFocusTarget, onClose }: Props) {
  const entries = useUploads(channel._id)
  const drop = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLUListElement>(null)
  useScrollToNew(list, entries)
  const [previewId, setPreviewId] = useState<string | null>(null)
  const toPreview = entries.filter(({ state }) => state === 'preview')
  const [firstToPreview] = toPreview
  const undecided = entries.filter(({ state }) => state === 'preview' || state === 'broken')
  const can = usePermissionCheck()
  const canReview = can('canManageDocuments') && entries.some(({ state }) => state === 'done')

  useEffect(() => {
    uploads.show(channel._id)
    return () => uploads.show(null)
  }, [channel._id])

  function addFiles(files: File[]): void {
    uploads.add(channel._id, files)
    const added = uploads.get().find((entry) => entry.channelId === channel._id && entry.state === 'preview')
    if (previewId === null && added !== undefined) setPreviewId(added.id)
  }
  /** The old entry goes first, so that the preview shows the new file next. */
  function replaceFile(id: string, file: File): void {
    uploads.cancel([id])
    setPreviewId(null)
    uploads.add(channel._id, [file])
    const added = uploads.get().at(-1)
    if (added?.state === 'preview') setPreviewId(added.id)
  }
  function close(): void {
    uploads.clearFinished(channel._id)
    onClose()
  }
  // No PDF is left to decide about, so the next added PDF opens the preview again.
  if (previewId !== null && undecided.length === 0) setPreviewId(null)

  return (
    <Dialog
      open
      onClose={close}
      title="Upload documents"
      finalFocus={() => findFocusTarget?.() ?? true}
      description={
        <>
          <span dir="auto" className="wrap-anywhere line-clamp-2 text-left text-ink">
            {channel.name}
          </span>
          Uploads need approval before the assistant uses them.
        </>
      }
      footer={
        <>
          {firstToPreview !== undefined && (
            <Button variant="primary" onClick={() => setPreviewId(firstToPreview.id)}>
              Preview {formatCount(toPreview.length, 'PDF')}
            </Button>
          )}
          {canReview && (
            <Link
              to={reviewPath(channel._id)}
              onClick={close}
              className={buttonStyle(firstToPreview === undefined ? 'primary' : 'secondary')}
            >
              {can('canApproveDocuments') ? 'Approve now' : 'Review now'}
            </Link>
          )}
          <Button onClick={close}>Done</Button>
        </>
      }
    >
      <div ref={drop}>
        <FileDrop
          label="Drop files here, or click to browse"
          hint="PDF, DOC, DOCX or TXT, one or more. PDFs are previewed before upload."
          accept={acceptedFiles}
          multiple
          onFiles={addFiles}
        />
      </div>
      {entries.length > 0 && (
        <ul ref={list} aria-label="Uploads" className="mt-4 divide-y divide-hairline">
          {entries.map((entry) => (
            <UploadRow
              key={entry.id}
              entry={entry}
              onPreview={() => setPreviewId(entry.id)}
              onReplace={(file) => replaceFile(entry.id, file)}
              onLostFocus={() => drop.current?.querySelector('input')?.focus()}
            />
          ))}
        </ul>
      )}
      <PdfPreview
        entries={undecided}
        currentId={previewId}
        onShow={setPreviewId}
        onReplace={replaceFile}
        onClose={() => setPreviewId(null)}
      />
    </Dialog>
  )
}
