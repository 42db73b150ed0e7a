import type { Citation } from '@lyceum/contract/chats'
import { useQuery } from '@tanstack/react-query'
import { Ellipsis, FilePlus2, ImageUp, Trash2 } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { isNotFound } from '#api/api-error.ts'
import { useSession } from '#features/auth/SessionProvider.tsx'
import { ButtonToCome, ChannelHeader } from '#features/channels/ChannelHeader.tsx'
import { ChannelList } from '#features/channels/ChannelList.tsx'
import { LocalNotes, useLocalNotes } from '#features/channels/LocalNotes.tsx'
import { channelQuery, channelsQuery, isOwnChannel } from '#features/channels/queries.ts'
import { useSidebar } from '#features/channels/use-sidebar.ts'
import { WallpaperBackdrop } from '#features/channels/wallpaper/WallpaperBackdrop.tsx'
import { type ChatDialog, ChatDialogs } from '#features/chats/ChatDialogs.tsx'
import { ChatPane } from '#features/chats/ChatPane.tsx'
import { ConnectionBanner } from '#features/chats/ConnectionBanner.tsx'
import type { Found } from '#features/chats/search/search-query.ts'
import { ChatList } from '#features/chats/sidebar/ChatList.tsx'
import { ChatSidebar } from '#features/chats/sidebar/ChatSidebar.tsx'
import { createChatMenu } from '#features/chats/sidebar/chat-menu.ts'
import { useChatSelection } from '#features/chats/sidebar/use-chat-selection.ts'
import { TurnsProvider } from '#features/chats/turns/TurnsProvider.tsx'
import { useErrorToast } from '#features/chats/use-error-toast.ts'
import { lazyComponent } from '#lib/lazy-component.tsx'
import { texts } from '#texts/member.ts'
import { product } from '#theme/product.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu } from '#ui/Menu.tsx'
import { Loading } from '#ui/Spinner.tsx'
import { toast } from '#ui/toast.ts'

// What floats over the chat is a quarter of this screen's code and seldom the first thing anybody looks at.
const Drawer = lazyComponent(async () => (await import('#ui/Drawer.tsx')).Drawer)
const SourceDialog = lazyComponent(
  async () => (await import('#features/documents/preview/SourceDialog.tsx')).SourceDialog,
)

const ProposalsDialog = lazyComponent(
  async () => (await import('#features/documents/proposals/ProposalsDialog.tsx')).ProposalsDialog,
)
const WallpaperDialog = lazyComponent(
  async () => (await import('#features/channels/wallpaper/WallpaperDialog.tsx')).WallpaperDialog,
)

// Nobody presses a key before they see what it would do.
const ChatKeys = lazyComponent(async () => (await import('#features/chats/shortcuts/ChatKeys.tsx')).ChatKeys)
function doWithout(): void {
  undefined
}

function sayUnavailable(): void {
  toast.error('This could not be loaded. Please check your connection.')
}

/** The channel and the list it stands in. Without the channel, or the right to it, there is no screen. */
function useChannel(channelId: string) {
  const [, navigate] = useLocation()
  const { data: channel, error, isFetching } = useQuery(channelQuery(channelId))
  const { data: all = [] } = useQuery({ ...channelsQuery(), meta: { quiet: true } })
  // What was refused on an earlier visit is asked anew.
  const isLost = isNotFound(error) && !isFetching
  const loadError = channel === undefined || isLost ? error : null
  useErrorToast(loadError, texts.chat.loadChannelFailed)
  useEffect(() => {
    if (loadError !== null) navigate('/dashboard', { replace: true })
  }, [loadError, navigate])

  const name = channel?.name
  useEffect(() => {
    if (name !== undefined) document.title = `${name} · ${product.name}`
  }, [name])

  const own = all.filter(isOwnChannel)
  const isListed = own.some(({ _id }) => _id === channelId)
  return {
    channel,
    channels: isListed || channel === undefined ? own : [channel, ...own],
    isMissing: loadError !== null,
  }
}

function foundPath({ channelId, chatId, messageId }: Found): string {
  const query = new URLSearchParams({ chat: chatId, ...(messageId === null ? {} : { message: messageId }) })
  return `/channels/${encodeURIComponent(channelId)}?${query.toString()}`
}

interface SidebarProps {
  sidebar: ReturnType<typeof useSidebar>
  children: ReactNode
}

/** Beside the chat where there is room, and otherwise over it. */
function Sidebar({ sidebar, children }: SidebarProps) {
  const { isWide, isOpen, close } = sidebar
  const giveUp = useCallback(() => {
    sayUnavailable()
    close()
  }, [close])
  const label = 'Channels and chats'
  if (!isWide)
    return (
      <Drawer open={isOpen} onLoadError={giveUp} props={{ open: isOpen, onClose: close, label, children }} />
    )
  if (!isOpen) return null
  return (
    <aside
      aria-label={label}
      className="relative w-72 shrink-0 overflow-y-auto border-hairline border-r bg-surface-2 print:hidden"
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
  const [, navigate] = useLocation()
  const { user } = useSession()
  const selection = useChatSelection(channelId)
  const sidebar = useSidebar()
  const [dialog, setDialog] = useState<ChatDialog | null>(null)
  const [citation, setCitation] = useState<Citation | null>(null)
  const [isProposing, setIsProposing] = useState(false)
  const [isDecorating, setIsDecorating] = useState(false)
  const openCitation = useCallback((opened: Citation) => setCitation(opened), [])
  const current = selection.chats?.find(({ _id }) => _id === selection.currentId)
  const isChatToCome = selection.currentId !== null && selection.chats === undefined
  const notes = useLocalNotes(current)

  const giveUpDialog = useCallback(() => {
    sayUnavailable()
    setDialog(null)
    setCitation(null)
    setIsProposing(false)
    setIsDecorating(false)
  }, [])

  const menuItemsFor = createChatMenu(channelId, setDialog)
  function ask(next: ChatDialog): void {
    setDialog(next)
    sidebar.closeDrawer()
  }
  function openFound(found: Found): void {
    setDialog(null)
    selection.forget(found.chatId)
    navigate(foundPath(found))
  }

  const sidebarContent = (
    <ChatSidebar onSearch={() => ask({ kind: 'search' })} onHelp={() => ask({ kind: 'help' })}>
      <ChannelList channels={channels} currentId={channelId} onSelect={sidebar.closeDrawer}>
        <ChatList
          selection={selection}
          onSelect={(chatId) => {
            selection.forget(chatId)
            sidebar.closeDrawer()
          }}
          onCreate={() => {
            selection.create()
            sidebar.closeDrawer()
          }}
          onDelete={(chat) => setDialog({ kind: 'remove', chat })}
          menuItemsFor={menuItemsFor}
        />
      </ChannelList>
    </ChatSidebar>
  )

  return (
    // As high as the window under the top bar: only the messages and the sidebar scroll. In a window too low for any
    // message, as under a zoom of 400 %, the page scrolls too.
    <div className="relative flex h-[calc(100dvh-3.5rem-1px-var(--keyboard,0px))] min-h-[calc(22rem-var(--keyboard,0px))] print:h-auto">
      <Sidebar sidebar={sidebar}>{sidebarContent}</Sidebar>
      <section aria-label="Chat" className="flex min-w-0 flex-1 flex-col bg-page">
        <ChannelHeader channel={channel} isSidebarOpen={sidebar.isOpen} onToggleSidebar={sidebar.toggle}>
          {channel?.allowProposals === true && (
            <IconButton
              icon={FilePlus2}
              labelSide="end"
              label="Propose a document"
              onClick={() => setIsProposing(true)}
            />
          )}
          {channel?.isAdmin === true && (
            <IconButton
              icon={ImageUp}
              labelSide="end"
              label="Upload wallpaper"
              onClick={() => setIsDecorating(true)}
            />
          )}
          {channel === undefined && user?.role === 'admin' && <ButtonToCome />}
          {isChatToCome && (
            <>
              <ButtonToCome />
              <ButtonToCome />
            </>
          )}
          {current !== undefined && (
            <Menu
              icon={Ellipsis}
              label="More for the current chat"
              tip="More"
              items={menuItemsFor(current)}
            />
          )}
          {current !== undefined && (
            <IconButton
              icon={Trash2}
              tone="danger"
              labelSide="end"
              label="Delete current chat"
              onClick={() => setDialog({ kind: 'remove', chat: current })}
            />
          )}
        </ChannelHeader>
        <ConnectionBanner channelId={channelId} />
        <WallpaperBackdrop channel={channel}>
          <ChatPane
            userId={userId}
            channelId={channelId}
            selection={selection}
            onOpenCitation={openCitation}
            tail={<LocalNotes notes={notes.notes} />}
          />
        </WallpaperBackdrop>
      </section>
      <ChatKeys
        open
        onLoadError={doWithout}
        props={{ channelId, selection, onShow: setDialog, onToggleSidebar: sidebar.toggle }}
      />
      <ChatDialogs
        shown={dialog}
        channelId={channelId}
        selection={selection}
        onFound={openFound}
        onClose={() => setDialog(null)}
        onLoadError={giveUpDialog}
      />
      <SourceDialog
        open={citation !== null}
        onLoadError={giveUpDialog}
        props={{ citation, onClose: () => setCitation(null) }}
      />
      {channel !== undefined && isDecorating && (
        <WallpaperDialog
          open
          onLoadError={giveUpDialog}
          props={{
            channel,
            onUploaded: (filename) => notes.add(texts.wallpaper.note(filename)),
            onClose: () => setIsDecorating(false),
          }}
        />
      )}
      {channel !== undefined && (
        <ProposalsDialog
          open={isProposing}
          onLoadError={giveUpDialog}
          props={{ channel, open: isProposing, onClose: () => setIsProposing(false) }}
        />
      )}
    </div>
  )
}

export function ChannelPage() {
  const { id = '' } = useParams()
  const { user } = useSession()
  const { channel, channels, isMissing } = useChannel(id)
  // On the way out: the screen would select a chat, and its address would lead back here.
  if (isMissing || user === null) return <Loading fullPage />
  return (
    <TurnsProvider key={`${user._id} ${id}`} userId={user._id} channelId={id}>
      <ChannelScreen userId={user._id} channelId={id} channel={channel} channels={channels} />
    </TurnsProvider>
  )
}
