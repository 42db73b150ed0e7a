import type { Citation } from '@lyceum/contract/citations'
import { useCallback, useState } from 'react'
import type { OpenCitation } from '#features/chats/reply/citation.ts'
import type { ChatAddress } from '#features/documents/queries.ts'
import { lazyComponent } from '#lib/lazy-component.tsx'
import { useMediaQuery } from '#lib/use-media-query.ts'

const SourceDialog = lazyComponent(
  async () => (await import('#features/documents/preview/SourceDialog.tsx')).SourceDialog,
)
const SourcePanel = lazyComponent(
  async () => (await import('#features/documents/preview/SourcePanel.tsx')).SourcePanel,
)

/** In windows at least this wide, a source opens beside the chat; in narrower ones, above it. */
const wideQuery = '(min-width: 1200px)'

interface OpenSource {
  shownId: string | null
  citation: Citation
  citations: readonly Citation[]
}

/** The source that is open in the chat, or shared chat, with the id `shownId`. */
export function useSource(shownId: string | null) {
  const [opened, setOpened] = useState<OpenSource | null>(null)
  const open = useCallback<OpenCitation>(
    (citation, citations) => setOpened({ shownId, citation, citations }),
    [shownId],
  )
  const close = useCallback(() => setOpened(null), [])
  return { source: opened?.shownId === shownId ? opened : null, open, close }
}

interface Props extends ReturnType<typeof useSource> {
  /** The chat whose attached files the user may open. */
  chat: ChatAddress | undefined
  onLoadError: () => void
}

/** The open source, in a panel beside the chat or in a dialog. */
export function ReplySource({ chat, source, open, close, onLoadError }: Props) {
  const isWide = useMediaQuery(wideQuery)
  const citation = source?.citation ?? null
  const citations = source?.citations ?? []
  const shared = { open: citation !== null, onLoadError }
  if (!isWide) return <SourceDialog {...shared} props={{ citation, chat, onClose: close }} />
  return (
    <SourcePanel
      {...shared}
      props={{ citation, citations, chat, onShow: (next) => open(next, citations), onClose: close }}
    />
  )
}
