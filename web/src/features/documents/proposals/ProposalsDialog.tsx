import { acceptedFiles } from '@lyceum/contract/documents'
import { useRef, useState } from 'react'
import { formatFileSize } from '#lib/file-size.ts'
import { useLostFocus } from '#lib/use-lost-focus.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { FileDrop } from '#ui/FileDrop.tsx'
import { PdfView } from '#ui/PdfView.tsx'
import { Progress } from '#ui/Progress.tsx'
import { usePdfFault } from '#ui/pdf/use-pdf-fault.ts'
import { PreviewFrame } from '../preview/DocumentPreview.tsx'
import { ProposalList } from './ProposalList.tsx'
import { usePropose } from './proposals.ts'

interface PreviewProps {
  file: File | null
  onPropose: (file: File) => void
  onClose: () => void
}

/** Shows a PDF before it is sent. */
function Preview({ file, onPropose, onClose }: PreviewProps) {
  const isBroken = usePdfFault(file) !== null
  return (
    <Dialog
      open={file !== null}
      onClose={onClose}
      size="wide"
      title={file?.name ?? ''}
      description={file && formatFileSize(file.size)}
      footer={
        file && (
          <>
            <Button onClick={onClose}>Cancel</Button>
            {!isBroken && (
              <Button variant="primary" onClick={() => onPropose(file)}>
                Propose
              </Button>
            )}
          </>
        )
      }
    >
      {file && (
        <PreviewFrame>
          <PdfView file={file} label={`Page of ${file.name}`} />
        </PreviewFrame>
      )}
    </Dialog>
  )
}

interface SendingProps {
  name: string
  progress: number
  onCancel: () => void
}

function Sending({ name, progress, onCancel }: SendingProps) {
  const row = useRef<HTMLDivElement>(null)
  useLostFocus(row, (_, container) => {
    container.closest('[role=dialog]')?.querySelector<HTMLElement>('input[type=file]')?.focus()
  })
  return (
    <div ref={row} className="mt-4 flex items-end gap-3">
      <div className="min-w-0 flex-1">
        {/* Everything is sent, but the server has not responded yet. */}
        {progress >= 1 ? (
          <Progress label={`Storing ${name}`} />
        ) : (
          <Progress label={`Uploading ${name}`} value={progress} />
        )}
      </div>
      <Button size="small" onClick={onCancel}>
        Cancel upload
      </Button>
    </div>
  )
}

interface Props {
  channel: { _id: string; name: string }
  open: boolean
  onClose: () => void
}

/** Lets a member propose documents for a channel and shows the decisions. */
export function ProposalsDialog({ channel, open, onClose }: Props) {
  const { sending, refusal, check, send, cancel } = usePropose(channel._id, open)
  const [previewed, setPreviewed] = useState<File | null>(null)
  function chooseFile(file: File | undefined): void {
    const kind = file && check(file)
    if (kind === 'pdf') setPreviewed(file ?? null)
    else if (file && kind) send(file)
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Propose a document"
      description={
        <>
          <span dir="auto" className="wrap-anywhere line-clamp-2 text-left text-ink">
            {channel.name}
          </span>
          An administrator decides whether the assistant may use it. Once approved, everyone in this channel
          can open it.
        </>
      }
      footer={<Button onClick={onClose}>Done</Button>}
    >
      <FileDrop
        label="Drop a file here, or click to browse"
        hint="PDF, DOC, DOCX or TXT. PDFs are previewed before upload."
        accept={acceptedFiles}
        busy={sending !== null}
        onFiles={([file]) => chooseFile(file)}
      />
      {sending !== null && <Sending {...sending} onCancel={cancel} />}
      {refusal !== null && (
        <div className="mt-4">
          <Banner tone="danger">
            <span dir="auto" className="wrap-anywhere line-clamp-2 text-left font-medium">
              {refusal.fileName}
            </span>
            {refusal.reason}
          </Banner>
        </div>
      )}
      <ProposalList channelId={channel._id} />
      <Preview
        file={previewed}
        onPropose={(file) => {
          setPreviewed(null)
          send(file)
        }}
        onClose={() => setPreviewed(null)}
      />
    </Dialog>
  )
}
