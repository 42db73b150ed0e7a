import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { useUser } from '#features/auth/SessionProvider.tsx'
import { ChannelList } from '#features/channels/ChannelList.tsx'
import { LocalNotes, useLocalNotes } from '#features/channels/LocalNotes.tsx'
import { useSidebar } from '#features/channels/use-sidebar.ts'
import { WallpaperBackdrop } from '#features/channels/wallpaper/WallpaperBackdrop.tsx'
import type { ChatDialog } from '#features/chats/ChatDialogs.tsx'
import { ChatPane } from '#features/chats/ChatPane.tsx'
import { ConnectionBanner } from '#features/chats/ConnectionBanner.tsx'
import { threadKey } from '#features/chats/queries.ts'
import type { SearchResult } from '#features/chats/search/search-query.ts'
import type { ChatMenu } from '#features/chats/sidebar/ChatItem.tsx'
import { ChatList } from '#features/chats/sidebar/ChatList.tsx'
import { ChatSidebar } from '#features/chats/sidebar/ChatSidebar.tsx'
import { useChatSelection } from '#features/chats/sidebar/use-chat-selection.ts'
import type { Thread } from '#features/chats/thread.ts'
import { TurnsProvider } from '#features/chats/turns/TurnsProvider.tsx'
import { lazyComponent } from '#lib/lazy-component.tsx'
import { texts } from '#texts/member.ts'
import { PartBoundary } from '#ui/PartBoundary.tsx'
import { Loading } from '#ui/Spinner.tsx'
import { toast } from '#ui/toast.ts'
import { ChannelBar, mayPropose } from './channel-bar.tsx'
import { type ChannelDialog, ChannelDialogs } from './channel-dialogs.tsx'
import { ProposalNotice } from './channel-proposals.tsx'
import { ReplySource, useSource } from './reply-source.tsx'
import { useChannel } from './use-channel.ts'

const Drawer = lazyComponent(async () => (await import('#ui/Drawer.tsx')).Drawer)
// Keyboard shortcuts load after the first paint.
const ChatShortcuts = lazyComponent(
  async () => (await import('#features/chats/shortcuts/ChatShortcuts.tsx')).ChatShortcuts,
)

function noop() {
  return undefined
}

function showLoadError(): void {
  toast.error(texts.chat.loadComponentFailed)
}

function searchResultPath({ channelId, chatId, messageId }: SearchResult, words: string): string {
  const query = new URLSearchParams({
    chat: chatId,
    ...(messageId === null ? {} : { message: messageId, find: words }),
  })
  return `/channels/${encodeURIComponent(channelId)}?${query.toString()}`
}

interface SidebarProps {
  sidebar: ReturnType<typeof useSidebar>
  children: ReactNode
}

/** A column beside the chat on wide screens, otherwise a drawer over it. */
function Sidebar({ sidebar, children }: SidebarProps) {
  const { isWide, isOpen, close } = sidebar
  const handleLoadError = useCallback(() => {
    showLoadError()
    close()
  }, [close])
  const label = 'Channels and chats'
  if (!isWide)
    return (
      <Drawer
        open={isOpen}
        onLoadError={handleLoadError}
        props={{ open: isOpen, onClose: close, label, children }}
      />
    )
  if (!isOpen) return null
  return (
    <aside
      aria-label={label}
      className="relative w-60 shrink-0 overflow-y-auto border-hairline border-r bg-surface-2 lg:w-72 min-[90rem]:w-80 print:hidden"
    >
      {children}
    </aside>
  )
}

interface ScreenProps extends Pick<ReturnType<typeof useChannel>, 'channel' | 'channels'> {
  userId: string
  channelId: string
}

function ChannelScreen({ userId, channelId, channel, channels }: ScreenProps) {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const selection = useChatSelection(channelId)
  const sidebar = useSidebar()
  const [dialog, setDialog] = useState<ChannelDialog | null>(null)
  const closeDialog = useCallback(() => setDialog(null), [])
  const { currentId } = selection
  const address = currentId === null ? undefined : { channelId, chatId: currentId }
  const source = useSource(currentId)
  const handleLoadError = useCallback(() => {
    showLoadError()
    setDialog(null)
  }, [])
  const closeSource = source.close
  const handleSourceError = useCallback(() => {
    showLoadError()
    closeSource()
  }, [closeSource])
  const currentChat = selection.chats?.find(({ _id }) => _id === currentId)
  const isChatLoading = currentId !== null && selection.chats === undefined
  const notes = useLocalNotes(currentChat)

  const menuItemsFor: ChatMenu = async (chat, { hasDelete }) => {
    const { createChatItems } = await import('#features/chats/sidebar/chat-menu.ts')
    const thread = client.getQueryData<Thread>(threadKey(channelId, chat._id))
    const showsMessages = thread !== undefined && thread.messages.length > 0
    return createChatItems({
      channelId,
      chat,
      showsMessages,
      hasDelete,
      onShow: setDialog,
      onPin: selection.pin,
    })
  }
  function openFromSidebar(next: ChatDialog): void {
    setDialog(next)
    sidebar.closeDrawer()
  }
  function createFromSidebar(): void {
    selection.create()
    sidebar.closeDrawer()
  }
  function openResult(result: SearchResult, words: string): void {
    setDialog(null)
    selection.dropThread(result.chatId)
    navigate(searchResultPath(result, words))
  }

  // The toast and the focus are on the page, which the drawer covers.
  async function remove(chatId: string): Promise<boolean> {
    const isRemoved = await selection.remove(chatId)
    if (isRemoved) sidebar.closeDrawer()
    return isRemoved
  }

  const sidebarContent = (
    <PartBoundary name="The list of chats">
      <ChatSidebar
        onSearch={() => openFromSidebar({ kind: 'search' })}
        onCreate={selection.isArchived ? undefined : createFromSidebar}
        isCreating={selection.isCreating}
        onHelp={() => openFromSidebar({ kind: 'help' })}
      >
        <ChannelList channels={channels} currentId={channelId} onSelect={sidebar.closeDrawer}>
          <ChatList
            selection={selection}
            onSelect={(chatId) => {
              selection.dropThread(chatId)
              sidebar.closeDrawer()
            }}
            onDelete={(chat) => setDialog({ kind: 'remove', chat })}
            menuItemsFor={menuItemsFor}
          />
        </ChannelList>
      </ChatSidebar>
    </PartBoundary>
  )

  return (
    // Fills the window, so that only the messages and the sidebar scroll. If the window is too short to show a message,
    // for example at a zoom of 400%, the page scrolls as well.
    <div className="flex h-[calc(100dvh-var(--keyboard,0px))] min-h-[calc(25.5rem-var(--keyboard,0px))] flex-col print:h-auto">
      <PartBoundary name="The title">
        <ChannelBar
          channel={channel}
          chat={currentChat}
          isChatLoading={isChatLoading}
          sidebar={sidebar}
          menuItemsFor={menuItemsFor}
          onShow={setDialog}
        />
      </PartBoundary>
      <div className="relative flex min-h-0 flex-1">
        <Sidebar sidebar={sidebar}>{sidebarContent}</Sidebar>
        <section aria-label="Chat" className="flex min-w-0 flex-1 flex-col bg-page">
          <ConnectionBanner channelId={channelId} />
          {mayPropose(channel) && (
            <ProposalNotice
              userId={userId}
              channelId={channelId}
              isListShown={dialog?.kind === 'proposals'}
              onShowList={() => setDialog({ kind: 'proposals' })}
            />
          )}
          <WallpaperBackdrop channel={channel}>
            <ChatPane
              userId={userId}
              channelId={channelId}
              selection={selection}
              onOpenCitation={source.open}
              onAddStarters={channel?.isAdmin === true ? () => setDialog({ kind: 'starters' }) : undefined}
              onPropose={mayPropose(channel) ? () => setDialog({ kind: 'proposals' }) : undefined}
              tail={<LocalNotes notes={notes.notes} />}
            />
          </WallpaperBackdrop>
        </section>
        <ReplySource {...source} chat={address} onLoadError={handleSourceError} />
      </div>
      <ChatShortcuts
        open
        onLoadError={noop}
        props={{
          channelId,
          selection,
          isDialogOpen: dialog !== null,
          onShow: setDialog,
          onToggleSidebar: sidebar.toggle,
        }}
      />
      <ChannelDialogs
        dialog={dialog}
        channelId={channelId}
        channel={channel}
        selection={{ ...selection, remove }}
        onChooseResult={openResult}
        onWallpaperUploaded={(filename) => notes.add(texts.wallpaper.note(filename))}
        onClose={closeDialog}
        onLoadError={handleLoadError}
      />
    </div>
  )
}

export function ChannelPage() {
  const { id = '' } = useParams()
  const user = useUser()
  const { channel, channels, isUnavailable } = useChannel(id)
  // During the redirect, rendering the screen would select a chat and navigate back here.
  if (isUnavailable || user === null) return <Loading fullPage />
  return (
    <TurnsProvider key={`${user._id} ${id}`} userId={user._id} channelId={id}>
      <ChannelScreen userId={user._id} channelId={id} channel={channel} channels={channels} />
    </TurnsProvider>
  )
}
