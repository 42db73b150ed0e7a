import { acceptedFiles } from '@lyceum/contract/documents'
import { useState } from 'react'
import { formatCount } from '#lib/format-count.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { FileDrop } from '#ui/FileDrop.tsx'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { PdfReview } from './PdfReview.tsx'
import { UploadRow } from './UploadRow.tsx'
import { uploads } from './upload-queue.ts'
import { useUploads } from './use-uploads.ts'

interface Props {
  channel: { _id: string; name: string }
  onClose: () => void
}

/** Brings files into a channel. Closing it stops nothing: uploads go on. */
export function UploadDialog({ channel, onClose }: Props) {
  const entries = useUploads(channel._id)
  const [reviewedId, setReviewedId] = useState<string | null>(null)
  const reviews = entries.filter(({ state }) => state === 'review')
  const [firstReview] = reviews

  function take(files: File[]): void {
    uploads.add(channel._id, files)
    const added = uploads.get().find((entry) => entry.channelId === channel._id && entry.state === 'review')
    if (reviewedId === null && added !== undefined) setReviewedId(added.id)
  }
  function close(): void {
    uploads.clearFinished(channel._id)
    onClose()
  }
  // The last one was decided on: the next choice of files starts over.
  if (reviewedId !== null && firstReview === undefined) setReviewedId(null)

  return (
    <Dialog
      open
      onClose={close}
      title="Upload documents"
      description={
        <>
          <span dir="auto" className="wrap-anywhere line-clamp-2 text-start text-ink">
            {channel.name}
          </span>
          What you upload waits for approval before the assistant uses it.
        </>
      }
      footer={
        <>
          {firstReview !== undefined && (
            <Button variant="primary" onClick={() => setReviewedId(firstReview.id)}>
              Preview {formatCount(reviews.length, 'PDF')}
            </Button>
          )}
          <Button onClick={close}>Done</Button>
        </>
      }
    >
      <ResultBanner className="top-0" />
      <FileDrop
        label="Drop files here, or press to choose them"
        hint="PDF, DOC, DOCX or TXT, several at once. A PDF is shown to you before it is sent."
        accept={acceptedFiles}
        multiple
        onFiles={take}
      />
      {entries.length > 0 && (
        <ul aria-label="Uploads" className="mt-4 divide-y divide-hairline">
          {entries.map((entry) => (
            <UploadRow key={entry.id} entry={entry} onPreview={() => setReviewedId(entry.id)} />
          ))}
        </ul>
      )}
      <PdfReview
        entries={reviews}
        currentId={reviewedId}
        onShow={setReviewedId}
        onClose={() => setReviewedId(null)}
      />
    </Dialog>
  )
}
