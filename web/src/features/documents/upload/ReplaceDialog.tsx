import { acceptedFiles, type Document } from '@lyceum/contract/documents'
import { errors } from '@lyceum/contract/errors'
import { useState } from 'react'
import { isRetryable, messageOf } from '#api/api-error.ts'
import { formatFileSize } from '#lib/file-size.ts'
import { texts } from '#texts/admin.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { FileDrop } from '#ui/FileDrop.tsx'
import { PdfView } from '#ui/PdfView.tsx'
import { Progress } from '#ui/Progress.tsx'
import { usePdfFault } from '#ui/pdf/use-pdf-fault.ts'
import { PreviewFrame } from '../preview/DocumentPreview.tsx'
import { describeReplacement } from '../version-labels.ts'
import { detectKind } from './upload-queue.ts'
import { createNextVersion, type NextVersion, useReplace } from './use-replace.ts'

interface Props {
  document: Document
  onClose: () => void
}

interface FileStepProps {
  refusal: string | null
  onFile: (file: File) => void
}

function FileStep({ refusal, onFile }: FileStepProps) {
  return (
    <div className="flex flex-col gap-4">
      {refusal !== null && <Banner tone="danger">{refusal}</Banner>}
      <FileDrop
        label="Drop the new file here, or click to browse"
        hint="PDF, DOC, DOCX or TXT. PDFs are previewed before upload."
        accept={acceptedFiles}
        onFiles={([file]) => file && onFile(file)}
      />
    </div>
  )
}

function UploadStep({ file, progress }: { file: File; progress: number }) {
  return (
    <div className="flex flex-col gap-1.5">
      <p dir="auto" className="wrap-anywhere line-clamp-2 text-start font-medium text-sm">
        {file.name}
      </p>
      {/* Everything is sent, but the server has not responded yet. */}
      {progress >= 1 ? <Progress label="Storing…" /> : <Progress label="Uploading" value={progress} />}
    </div>
  )
}

/** Uploads a new version of a document. A PDF is previewed first; closing cancels the upload. */
export function ReplaceDialog({ document, onClose }: Props) {
  const [next, setNext] = useState<NextVersion | null>(null)
  const [isUnsupported, setIsUnsupported] = useState(false)
  const { send, isSending, error, progress, cancel } = useReplace(document, onClose)

  function chooseFile(file: File): void {
    const kind = detectKind(file)
    const chosen = kind === null ? null : createNextVersion(file)
    cancel()
    setIsUnsupported(kind === null)
    setNext(chosen)
    if (chosen !== null && kind !== 'pdf') send(chosen)
  }
  function startOver(): void {
    cancel()
    setNext(null)
  }
  const refusal = isUnsupported
    ? errors['document.type'].message
    : error === null
      ? null
      : messageOf(error, texts.documents.replace.failed)
  const isPreviewing = next !== null && !isSending && error === null && detectKind(next.file) === 'pdf'
  const isBroken = usePdfFault(isPreviewing ? next.file : null) !== null

  return (
    <Dialog
      open
      onClose={onClose}
      // The dialog changes its size between steps, so the second half of a double-click may land outside it.
      ignoresBackdrop={next !== null}
      size={isPreviewing ? 'wide' : 'regular'}
      title="Replace with a new version"
      description={
        <>
          <span dir="auto" className="wrap-anywhere line-clamp-2 text-start text-ink">
            {document.originalName}
          </span>
          {describeReplacement(document)}
        </>
      }
      footer={
        isPreviewing ? (
          <>
            <span className="mr-auto self-center text-muted text-sm tabular-nums">
              {formatFileSize(next.file.size)}
            </span>
            <Button onClick={startOver}>Choose another file</Button>
            {!isBroken && (
              <Button variant="primary" onClick={() => send(next)}>
                Upload version
              </Button>
            )}
          </>
        ) : isSending ? (
          <Button onClick={startOver}>Cancel upload</Button>
        ) : (
          <>
            {next !== null && error !== null && isRetryable(error) && (
              <Button onClick={() => send(next)}>Try again</Button>
            )}
            <Button onClick={onClose}>Cancel</Button>
          </>
        )
      }
    >
      {next !== null && isSending ? (
        <UploadStep file={next.file} progress={progress} />
      ) : isPreviewing ? (
        <PreviewFrame hasButtons>
          <PdfView file={next.file} label={`Page of ${next.file.name}`} advice="Choose another file." />
        </PreviewFrame>
      ) : (
        <FileStep refusal={refusal} onFile={chooseFile} />
      )}
    </Dialog>
  )
}
