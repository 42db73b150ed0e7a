import type { Citation } from '@lyceum/contract/citations'
import { ExternalLink } from 'lucide-react'
import { product } from '#theme/product.ts'
import { buttonStyle } from '#ui/button-style.ts'
import { Dialog } from '#ui/Dialog.tsx'

function describeLocation({ page, headingPath }: Citation): string {
  return [...(page === null ? [] : [`Page ${page}`]), ...headingPath].join(' › ')
}

interface Props {
  /** Null while closed. */
  citation: Citation | null
  /** Opens the document in the application. Null for visitors, who see only the passage. */
  documentUrl: string | null
  onClose: () => void
}

/** The cited passage, with its document, page and headings. */
export function EmbedSource({ citation, documentUrl, onClose }: Props) {
  return (
    <Dialog
      open={citation !== null}
      onClose={onClose}
      title={citation?.title ?? ''}
      description={citation === null ? undefined : describeLocation(citation)}
      footer={
        documentUrl !== null && (
          <a href={documentUrl} target="_blank" rel="noopener" className={buttonStyle()}>
            <ExternalLink aria-hidden="true" className="size-4" />
            Open in {product.name}
            <span className="sr-only"> (opens a new tab)</span>
          </a>
        )
      }
    >
      <blockquote
        dir="auto"
        className="wrap-anywhere whitespace-pre-line border-primary-400 border-s-2 ps-3 text-start"
      >
        {citation?.quote}
      </blockquote>
    </Dialog>
  )
}
