import type { Citation } from '@lyceum/contract/citations'
import { useCallback, useState } from 'react'
import type { OpenCitation } from '#features/chats/reply/citation.ts'
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
  chatId: string | null
  citation: Citation
  citations: readonly Citation[]
}

/** The source that is open in the current chat. */
export function useSource(chatId: string | null) {
  const [opened, setOpened] = useState<OpenSource | null>(null)
  const open = useCallback<OpenCitation>(
    (citation, citations) => setOpened({ chatId, citation, citations }),
    [chatId],
  )
  const close = useCallback(() => setOpened(null), [])
  return { source: opened?.chatId === chatId ? opened : null, open, close }
}

interface Props extends ReturnType<typeof useSource> {
  channelId: string
  onLoadError: () => void
}

/** The open source, in a panel beside the chat or in a dialog. */
export function ChannelSource({ channelId, source, open, close, onLoadError }: Props) {
  const isWide = useMediaQuery(wideQuery)
  const citation = source?.citation ?? null
  const citations = source?.citations ?? []
  const chat = { channelId, chatId: source?.chatId ?? '' }
  const shared = { open: citation !== null, onLoadError }
  if (!isWide) return <SourceDialog {...shared} props={{ citation, chat, onClose: close }} />
  return (
    <SourcePanel
      {...shared}
      props={{ citation, citations, chat, onShow: (next) => open(next, citations), onClose: close }}
    />
  )
}
