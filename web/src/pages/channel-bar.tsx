import type { Channel } from '@lyceum/contract/channels'
import type { Chat } from '@lyceum/contract/chats'
import { CircleUserRound, Ellipsis, FilePlus2, ImageUp, Lightbulb, Trash2 } from 'lucide-react'
import { useLocation } from 'wouter'
import { useUser } from '#features/auth/SessionProvider.tsx'
import { canOpenAdminArea } from '#features/auth/session.ts'
import { useLogout } from '#features/auth/use-logout.ts'
import { ButtonSkeleton, ChannelHeader } from '#features/channels/ChannelHeader.tsx'
import type { useSidebar } from '#features/channels/use-sidebar.ts'
import type { ChatMenu } from '#features/chats/sidebar/ChatItem.tsx'
import { chatName } from '#features/chats/sidebar/chat-label.ts'
import { usePathExists } from '#lib/known-paths.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu } from '#ui/Menu.tsx'
import type { MenuItem } from '#ui/OpenMenu.tsx'
import type { ChannelDialog } from './channel-dialogs.tsx'

/** Loads what the top bar of the other screens offers. */
function useAccountItems(): () => Promise<MenuItem[]> {
  const user = useUser()
  const logout = useLogout()
  const pathExists = usePathExists()
  const [, navigate] = useLocation()
  return async () => {
    const { createAccountItems } = await import('./account-items.ts')
    return createAccountItems({
      hasProfile: pathExists('/profile'),
      hasAdminArea: user !== null && canOpenAdminArea(user),
      navigate,
      logout,
    })
  }
}

/** Whether members may propose documents to the channel. */
export function mayPropose(channel: Channel | undefined): boolean {
  return channel?.allowProposals === true && channel.isArchived !== true
}

interface Props {
  channel: Channel | undefined
  /** Undefined while loading or without a chat. */
  chat: Chat | undefined
  isChatLoading: boolean
  sidebar: ReturnType<typeof useSidebar>
  menuItemsFor: ChatMenu
  onShow: (dialog: ChannelDialog) => void
}

/** The bar of the channel screen. In a narrow window, all actions except deleting are in one menu. */
export function ChannelBar({ channel, chat, isChatLoading, sidebar, menuItemsFor, onShow }: Props) {
  const user = useUser()
  const loadAccountItems = useAccountItems()
  const { isWide } = sidebar
  async function loadChatItems(): Promise<readonly MenuItem[]> {
    return chat === undefined ? [] : menuItemsFor(chat, { hasDelete: false })
  }
  const channelItems: MenuItem[] = [
    ...(mayPropose(channel)
      ? [{ label: 'Propose a document', icon: FilePlus2, onChoose: () => onShow({ kind: 'proposals' }) }]
      : []),
    ...(channel?.isAdmin === true
      ? [{ label: 'Upload wallpaper', icon: ImageUp, onChoose: () => onShow({ kind: 'wallpaper' }) }]
      : []),
  ]
  const starterItems: MenuItem[] =
    channel?.isAdmin === true
      ? [{ label: 'Starter questions', icon: Lightbulb, onChoose: () => onShow({ kind: 'starters' }) }]
      : []
  async function loadAllItems(): Promise<MenuItem[]> {
    const [chatItems, accountItems] = await Promise.all([loadChatItems(), loadAccountItems()])
    return [...chatItems, ...startGroup([...channelItems, ...starterItems]), ...startGroup(accountItems)]
  }
  const deleteButton = chat !== undefined && (
    <IconButton
      icon={Trash2}
      tone="danger"
      tooltipAlign="end"
      label="Delete current chat"
      onClick={() => onShow({ kind: 'remove', chat })}
    />
  )
  return (
    <ChannelHeader
      channel={channel}
      chatTitle={chat === undefined ? null : chatName(chat)}
      onRename={() => chat !== undefined && onShow({ kind: 'rename', chat })}
      isWide={isWide}
      isSidebarOpen={sidebar.isOpen}
      onToggleSidebar={sidebar.toggle}
    >
      {isWide ? (
        <>
          {channelItems.map(({ label, icon, onChoose }) => (
            <IconButton key={label} icon={icon} label={label} tooltipAlign="end" onClick={onChoose} />
          ))}
          {channel === undefined && user?.role === 'admin' && <ButtonSkeleton />}
          {isChatLoading && (
            <>
              <ButtonSkeleton />
              <ButtonSkeleton />
            </>
          )}
          {chat !== undefined && (
            <Menu
              icon={Ellipsis}
              label="More actions for the current chat"
              tip="More"
              items={async () => [...(await loadChatItems()), ...startGroup(starterItems)]}
            />
          )}
          {deleteButton}
          <Menu icon={CircleUserRound} label="Account" items={loadAccountItems} />
        </>
      ) : (
        <>
          {isChatLoading && <ButtonSkeleton />}
          {deleteButton}
          <Menu icon={Ellipsis} label="More actions" tip="More" items={loadAllItems} />
        </>
      )}
    </ChannelHeader>
  )
}

function startGroup(items: readonly MenuItem[]): MenuItem[] {
  return items.map((item, index) => ({ ...item, startsGroup: index === 0 }))
}
