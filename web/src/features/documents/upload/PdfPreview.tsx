import { formatFileSize } from '#lib/file-size.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { PdfView } from '#ui/PdfView.tsx'
import { PreviewFrame } from '../preview/DocumentPreview.tsx'
import { ChooseFileButton } from './ChooseFileButton.tsx'
import { type UploadEntry, uploads } from './upload-queue.ts'

/** Three buttons fit on one line of a phone, below those that choose the file. */
const buttonPadding = 'max-sm:px-3'

interface Props {
  /** The PDFs that the user has neither uploaded nor cancelled, broken ones included. */
  entries: readonly UploadEntry[]
  currentId: string | null
  onShow: (id: string) => void
  /** Another file is chosen in the place of one that cannot be uploaded. */
  onReplace: (id: string, file: File) => void
  onClose: () => void
}

/** Shows each PDF before it is sent. Closing keeps the remaining PDFs in the queue. */
export function PdfPreview({ entries, currentId, onShow, onReplace, onClose }: Props) {
  const index = Math.max(
    0,
    entries.findIndex(({ id }) => id === currentId),
  )
  const current = entries[index]
  const previous = entries[index - 1]
  const next = entries[index + 1]
  const isOneOfMany = entries.length > 1
  const uploadable = entries.filter(({ state }) => state === 'preview')
  function uploadAll(): void {
    uploads.release(uploadable.map(({ id }) => id))
  }
  return (
    <Dialog
      open={currentId !== null && current !== undefined}
      onClose={onClose}
      size="wide"
      title={current?.file.name ?? ''}
      description={
        current &&
        `${isOneOfMany ? `${index + 1} of ${entries.length} · ` : ''}${formatFileSize(current.file.size)}`
      }
      footer={
        current && (
          <>
            {isOneOfMany && (
              // In words, because the pages of the PDF have arrows.
              <div className="mr-auto flex gap-1 max-sm:w-full max-sm:justify-between">
                <Button
                  variant="ghost"
                  disabled={previous === undefined}
                  onClick={() => previous && onShow(previous.id)}
                >
                  Previous file
                </Button>
                <Button variant="ghost" disabled={next === undefined} onClick={() => next && onShow(next.id)}>
                  Next file
                </Button>
              </div>
            )}
            {current.state === 'preview' && (
              <Button className={buttonPadding} onClick={() => uploads.cancel([current.id])}>
                Cancel
              </Button>
            )}
            {uploadable.length > 1 && (
              <Button className={buttonPadding} onClick={uploadAll}>
                Upload all {uploadable.length}
              </Button>
            )}
            {current.state === 'preview' ? (
              <Button
                variant="primary"
                className={buttonPadding}
                onClick={() => uploads.release([current.id])}
              >
                Upload
              </Button>
            ) : (
              <>
                <Button className={buttonPadding} onClick={() => uploads.cancel([current.id])}>
                  Skip
                </Button>
                <ChooseFileButton
                  variant="primary"
                  className={buttonPadding}
                  onFile={(file) => onReplace(current.id, file)}
                />
              </>
            )}
          </>
        )
      }
    >
      {current && (
        <PreviewFrame hasButtons>
          <PdfView
            key={current.id}
            file={current.file}
            label={`Page of ${current.file.name}`}
            advice="Choose another file, or skip this one."
          />
        </PreviewFrame>
      )}
    </Dialog>
  )
}
