import type { Citation } from '@lyceum/contract/citations'
import { ChevronLeft, ChevronRight, Download, X } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useRef } from 'react'
import { IconButton } from '#ui/IconButton.tsx'
import type { ChatAddress } from '../queries.ts'
import { describeCitation, SourceContent } from './SourceContent.tsx'
import { useDownloadFile } from './use-download-file.ts'

/** While one of these is open, or text is being typed, Escape belongs to it. */
const escapeOwners = '[role="dialog"], [role="alertdialog"], [role="menu"], dialog[open]'
const textFields = 'input, textarea, select'

interface Props {
  /** Null while closed. */
  citation: Citation | null
  /** All sources of the reply. */
  citations: readonly Citation[]
  /** The chat of the reply, from which attached files are read. */
  chat: ChatAddress | undefined
  onShow: (citation: Citation) => void
  onClose: () => void
}

/** The cited document beside the reply, which stays readable. */
export function SourcePanel({ citation, ...props }: Props) {
  return citation && <OpenPanel citation={citation} {...props} />
}

function OpenPanel({ citation, citations, chat, onShow, onClose }: Props & { citation: Citation }) {
  const heading = useId()
  const panel = useRef<HTMLElement>(null)
  const opener = useRef<HTMLElement>(null)
  const readable = citations.filter(({ available }) => available)
  const download = useDownloadFile(citation, chat)
  const position = readable.findIndex(({ n }) => n === citation.n)

  // biome-ignore lint/correctness/useExhaustiveDependencies: moves the focus whenever a source is opened
  useEffect(() => {
    const { activeElement } = document
    if (panel.current?.contains(activeElement)) return
    if (activeElement instanceof HTMLElement) opener.current = activeElement
    panel.current?.focus({ preventScroll: true })
  }, [citation])

  function close() {
    onClose()
    if (opener.current?.isConnected) opener.current.focus({ preventScroll: true })
  }
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || document.querySelector(escapeOwners) !== null) return
    const isTyping = event.target instanceof Element && event.target.closest(textFields) !== null
    if (isTyping && !panel.current?.contains(document.activeElement)) return
    // Otherwise the same key would also stop a running reply.
    event.stopPropagation()
    event.preventDefault()
    close()
  })
  useEffect(() => {
    function listen(event: KeyboardEvent): void {
      handleKey(event)
    }
    document.addEventListener('keydown', listen, true)
    return () => document.removeEventListener('keydown', listen, true)
  }, [])

  function step(by: 1 | -1) {
    const next = readable[position + by]
    if (next) onShow(next)
  }
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      aria-labelledby={heading}
      className="flex w-[clamp(26rem,36vw,48rem)] shrink-0 flex-col border-hairline border-s bg-page outline-none print:hidden"
    >
      <header className="flex items-start gap-1 border-hairline border-b py-2 ps-4 pe-2">
        <div className="min-w-0 flex-1 py-1">
          <h2
            id={heading}
            dir="auto"
            className="wrap-anywhere line-clamp-2 font-semibold text-base leading-5"
          >
            {citation.title}
          </h2>
          <p className="mt-0.5 text-muted text-xs">{describeCitation(citation)}</p>
        </div>
        {download !== null && (
          <IconButton
            icon={Download}
            label="Download the file"
            aria-disabled={download.isPending || undefined}
            onClick={download.start}
          />
        )}
        {position >= 0 && (
          <>
            <IconButton
              icon={ChevronLeft}
              label="Previous source"
              aria-disabled={position === 0}
              onClick={() => step(-1)}
            />
            <IconButton
              icon={ChevronRight}
              label="Next source"
              aria-disabled={position === readable.length - 1}
              onClick={() => step(1)}
            />
          </>
        )}
        <IconButton icon={X} label="Close" tooltipAlign="end" onClick={close} />
      </header>
      <div className="min-h-0 flex-1">
        <SourceContent citation={citation} chat={chat} />
      </div>
    </aside>
  )
}
