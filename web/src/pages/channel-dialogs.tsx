import type { Channel } from '@lyceum/contract/channels'
import type { Citation } from '@lyceum/contract/chats'
import { type ChatDialog, ChatDialogs } from '#features/chats/ChatDialogs.tsx'
import type { SearchResult } from '#features/chats/search/search-query.ts'
import type { ChatSelection } from '#features/chats/sidebar/use-chat-selection.ts'
import { lazyComponent } from '#lib/lazy-component.tsx'

const SourceDialog = lazyComponent(
  async () => (await import('#features/documents/preview/SourceDialog.tsx')).SourceDialog,
)
const ProposalsDialog = lazyComponent(
  async () => (await import('#features/documents/proposals/ProposalsDialog.tsx')).ProposalsDialog,
)
const WallpaperDialog = lazyComponent(
  async () => (await import('#features/channels/wallpaper/WallpaperDialog.tsx')).WallpaperDialog,
)

export type ChannelDialog =
  | ChatDialog
  | { kind: 'source'; citation: Citation }
  | { kind: 'proposals' }
  | { kind: 'wallpaper' }

function toChatDialog(dialog: ChannelDialog | null): ChatDialog | null {
  switch (dialog?.kind) {
    case undefined:
    case 'source':
    case 'proposals':
    case 'wallpaper':
      return null
    default:
      return dialog
  }
}

interface Props {
  dialog: ChannelDialog | null
  channelId: string
  channel: Channel | undefined
  selection: ChatSelection
  onChooseResult: (result: SearchResult) => void
  onWallpaperUploaded: (filename: string) => void
  onClose: () => void
  onLoadError: () => void
}

/** The dialogs of the channel screen. At most one is open. */
export function ChannelDialogs(props: Props) {
  const { dialog, channelId, channel, selection, onChooseResult, onWallpaperUploaded, onClose, onLoadError } =
    props
  const citation = dialog?.kind === 'source' ? dialog.citation : null
  const isProposing = dialog?.kind === 'proposals'
  return (
    <>
      <ChatDialogs
        dialog={toChatDialog(dialog)}
        channelId={channelId}
        selection={selection}
        onChooseResult={onChooseResult}
        onClose={onClose}
        onLoadError={onLoadError}
      />
      <SourceDialog open={citation !== null} onLoadError={onLoadError} props={{ citation, onClose }} />
      {channel !== undefined && dialog?.kind === 'wallpaper' && (
        <WallpaperDialog
          open
          onLoadError={onLoadError}
          props={{ channel, onUploaded: onWallpaperUploaded, onClose }}
        />
      )}
      {channel !== undefined && (
        <ProposalsDialog
          open={isProposing}
          onLoadError={onLoadError}
          props={{ channel, open: isProposing, onClose }}
        />
      )}
    </>
  )
}
