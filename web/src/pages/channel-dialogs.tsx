import type { Channel } from '@lyceum/contract/channels'
import { type ChatDialog, ChatDialogs } from '#features/chats/ChatDialogs.tsx'
import type { SearchResult } from '#features/chats/search/search-query.ts'
import type { ChatSelection } from '#features/chats/sidebar/use-chat-selection.ts'
import { lazyComponent } from '#lib/lazy-component.tsx'

const ProposalsDialog = lazyComponent(
  async () => (await import('#features/documents/proposals/ProposalsDialog.tsx')).ProposalsDialog,
)
const WallpaperDialog = lazyComponent(
  async () => (await import('#features/channels/wallpaper/WallpaperDialog.tsx')).WallpaperDialog,
)

const StarterQuestionsDialog = lazyComponent(
  async () => (await import('#features/channels/form/StarterQuestionsDialog.tsx')).StarterQuestionsDialog,
)

export type ChannelDialog = ChatDialog | { kind: 'proposals' } | { kind: 'wallpaper' } | { kind: 'starters' }

function toChatDialog(dialog: ChannelDialog | null): ChatDialog | null {
  switch (dialog?.kind) {
    case undefined:
    case 'proposals':
    case 'wallpaper':
    case 'starters':
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
  onChooseResult: (result: SearchResult, words: string) => void
  onWallpaperUploaded: (filename: string) => void
  onClose: () => void
  onLoadError: () => void
}

/** The dialogs of the channel screen. At most one is open. */
export function ChannelDialogs(props: Props) {
  const { dialog, channelId, channel, selection, onChooseResult, onWallpaperUploaded, onClose, onLoadError } =
    props
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
      {channel !== undefined && dialog?.kind === 'wallpaper' && (
        <WallpaperDialog
          open
          onLoadError={onLoadError}
          props={{ channel, onUploaded: onWallpaperUploaded, onClose }}
        />
      )}
      {channel !== undefined && dialog?.kind === 'starters' && (
        <StarterQuestionsDialog open onLoadError={onLoadError} props={{ channel, onClose }} />
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
