import type { Citation } from '@lyceum/contract/citations'
import { Download } from 'lucide-react'
import { useMediaQuery } from '#lib/use-media-query.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import type { ChatAddress } from '../queries.ts'
import { describeCitation, SourceContent } from './SourceContent.tsx'
import { useDownloadFile } from './use-download-file.ts'

interface Props {
  /** Null while closed. */
  citation: Citation | null
  /** The chat of the reply, from which attached files are read. */
  chat?: ChatAddress | undefined
  onClose: () => void
}

/** The cited document, opened at the cited passage. */
export function SourceDialog({ citation, chat, onClose }: Props) {
  const isPhone = useMediaQuery('(max-width: 639px)')
  const download = useDownloadFile(citation, chat)
  const showsQuote = isPhone && citation?.fileType === 'pdf' && citation.quote !== ''
  return (
    <Dialog
      open={citation !== null}
      onClose={onClose}
      size="wide"
      title={citation?.title ?? ''}
      description={citation === null ? undefined : describeCitation(citation)}
      footer={
        download !== null && (
          <Button busy={download.isPending} onClick={download.start}>
            {!download.isPending && <Download aria-hidden="true" className="size-4" />}
            Download the file
          </Button>
        )
      }
    >
      {citation !== null && showsQuote && (
        <blockquote dir="auto" className="mb-3 max-h-44 overflow-y-auto text-base">
          <mark className="box-decoration-clone">{citation.quote}</mark>
        </blockquote>
      )}
      {citation !== null && (
        <div className="h-[70vh] overflow-hidden rounded-card border border-hairline max-sm:h-[60vh]">
          <SourceContent citation={citation} chat={chat} isSmall={isPhone} />
        </div>
      )}
    </Dialog>
  )
}
