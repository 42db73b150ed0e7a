import type { Chat } from '@lyceum/contract/chats'
import type { Citation } from '@lyceum/contract/citations'
import { QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  Check,
  Ellipsis,
  ExternalLink,
  History,
  LogIn,
  LogOut,
  MessageSquare,
  MessageSquareOff,
  Plus,
  Trash2,
} from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'wouter'
import { isNotFound } from '#api/api-error.ts'
import { createQueryClient } from '#api/query-client.ts'
import type { EmbeddedSession, EmbeddedUser } from '#features/auth/embedded-sign-in.ts'
import { channelQuery } from '#features/channels/queries.ts'
import { WallpaperBackdrop } from '#features/channels/wallpaper/WallpaperBackdrop.tsx'
import { ChatPane } from '#features/chats/ChatPane.tsx'
import { ConnectionBanner } from '#features/chats/ConnectionBanner.tsx'
import { EmbeddedContext } from '#features/chats/embedded.ts'
import { quotaLeftQuery, threadKey } from '#features/chats/queries.ts'
import type { OpenCitation } from '#features/chats/reply/citation.ts'
import { chatName } from '#features/chats/sidebar/chat-label.ts'
import { DeleteChatDialog } from '#features/chats/sidebar/DeleteChatDialog.tsx'
import { type ChatSelection, useChatSelection } from '#features/chats/sidebar/use-chat-selection.ts'
import type { Thread } from '#features/chats/thread.ts'
import { TurnsProvider } from '#features/chats/turns/TurnsProvider.tsx'
import { formatMessageTime } from '#lib/chat-time.ts'
import { lazyComponent } from '#lib/lazy-component.tsx'
import { texts } from '#texts/embedded.ts'
import { texts as memberTexts } from '#texts/member.ts'
import { product } from '#theme/product.ts'
import { Button } from '#ui/Button.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu } from '#ui/Menu.tsx'
import type { MenuItem } from '#ui/OpenMenu.tsx'
import { toast } from '#ui/toast.ts'
import { EmbedBar } from './embed-bar.tsx'
import { useSignInPopup } from './embed-welcome.tsx'

const EmbedSource = lazyComponent(async () => (await import('./embed-source.tsx')).EmbedSource)

interface Props {
  channelId: string
  site: string
  user: EmbeddedUser
  session: EmbeddedSession
  /** Empty unless the frame is in a panel. */
  closeButton: ReactNode
}

function listChats(
  { chats = [], currentId, list }: ChatSelection,
  onSelect: (chatId: string) => void,
): MenuItem[] {
  const items: MenuItem[] = chats.map((chat) => ({
    id: chat._id,
    label:
      chat.title === null
        ? `Chat, ${formatMessageTime(new Date(chat.createdAt), new Date())}`
        : chatName(chat),
    icon: chat._id === currentId ? Check : MessageSquare,
    isCurrent: chat._id === currentId,
    onChoose: () => onSelect(chat._id),
  }))
  if (!list.hasNextPage) return items
  return [...items, { label: 'Load older chats', icon: History, onChoose: () => void list.fetchNextPage() }]
}

interface AccountMenuProps extends Pick<Props, 'channelId' | 'user' | 'session'> {
  onSignIn: () => void
  /** Undefined if no chat can be deleted. */
  onDelete: (() => void) | undefined
}

/** Who is signed in, and the way out. Visitors lose their chats with it, so they are asked first. */
function AccountMenu({ channelId, user, session, onSignIn, onDelete }: AccountMenuProps) {
  const isVisitor = user.email === null
  const [isLeaving, setIsLeaving] = useState(false)
  function signOut(): void {
    session.signOut(channelId)
  }
  function openChannel(): void {
    window.open(`/channels/${encodeURIComponent(channelId)}`, '_blank', 'noopener')
  }
  const deleteItem: MenuItem[] =
    onDelete === undefined
      ? []
      : [{ label: 'Delete this chat', icon: Trash2, tone: 'danger', startsGroup: true, onChoose: onDelete }]
  const items: MenuItem[] = isVisitor
    ? [
        { label: 'Sign in', icon: LogIn, onChoose: onSignIn },
        { label: 'Leave the chat', icon: LogOut, onChoose: () => setIsLeaving(true) },
        ...deleteItem,
      ]
    : [
        { label: `Open in ${product.name}`, icon: ExternalLink, onChoose: openChannel },
        { label: 'Sign out', icon: LogOut, onChoose: signOut },
        ...deleteItem,
      ]
  return (
    <>
      <Menu
        icon={Ellipsis}
        label={isVisitor ? 'Menu' : `Menu, signed in as ${user.name}`}
        tip="Menu"
        items={items}
      />
      <ConfirmDialog
        open={isLeaving}
        title="Leave the chat?"
        confirmLabel="Leave the chat"
        onConfirm={signOut}
        onCancel={() => setIsLeaving(false)}
      >
        {texts.leave}
      </ConfirmDialog>
    </>
  )
}

/** The address in the application that shows the source of a reply; without the reply, that of its chat. */
function useDocumentUrl(channelId: string, chatId: string | null): (citation: Citation) => string {
  const client = useQueryClient()
  return (citation) => {
    const thread = client.getQueryData<Thread>(threadKey(channelId, chatId ?? ''))
    const reply = thread?.messages.findLast(({ citations }) =>
      citations?.some(
        ({ n, documentId, charStart }) =>
          n === citation.n && documentId === citation.documentId && charStart === citation.charStart,
      ),
    )
    const query = new URLSearchParams({
      chat: chatId ?? '',
      ...(reply === undefined ? {} : { message: reply._id, source: String(citation.n) }),
    })
    return `/channels/${encodeURIComponent(channelId)}?${query.toString()}`
  }
}

function Screen({ channelId, site, user, session, closeButton }: Props) {
  const selection = useChatSelection(channelId)
  const [, setSearch] = useSearchParams()
  const { data: channel, error } = useQuery({ ...channelQuery(channelId), meta: { quiet: true } })
  const [citation, setCitation] = useState<Citation | null>(null)
  const openCitation = useCallback<OpenCitation>((opened) => setCitation(opened), [])
  const handleLoadError = useCallback(() => {
    setCitation(null)
    toast.error(memberTexts.chat.loadComponentFailed)
  }, [])
  const findDocumentUrl = useDocumentUrl(channelId, selection.currentId)
  const current = selection.chats?.find(({ _id }) => _id === selection.currentId)
  const [deleted, setDeleted] = useState<Chat | null>(null)
  async function removeChat(chat: Chat): Promise<void> {
    await selection.remove(chat._id)
    setDeleted(null)
  }
  const isLost = isNotFound(error)
  const { data: quotaLeft } = useQuery(quotaLeftQuery(channelId))
  const popup = useSignInPopup(channelId, site, session.open)
  function signIn(): void {
    if (!popup.open()) toast.error(texts.popupBlocked)
  }
  const hasLimitNote = quotaLeft?.left === 0
  const tell = useEffectEvent((note: string) => {
    // Beside the limit, the note stays visible.
    if (!hasLimitNote) toast.info(note)
  })
  useEffect(() => {
    if (popup.note !== null) tell(popup.note)
  }, [popup.note])
  const items = listChats(selection, (chat) => setSearch({ chat }))
  return (
    <>
      <EmbedBar title={channel?.name ?? 'Chat'}>
        {!isLost && items.length > 1 && <Menu icon={History} label="Chats" items={items} />}
        {!isLost && !selection.isArchived && !hasLimitNote && (
          <IconButton
            icon={Plus}
            label="New chat"
            tooltipAlign="end"
            aria-disabled={selection.isCreating || undefined}
            onClick={() => !selection.isCreating && selection.create()}
          />
        )}
        <AccountMenu
          channelId={channelId}
          user={user}
          session={session}
          onSignIn={signIn}
          onDelete={
            isLost || current === undefined || current.messageCount === 0
              ? undefined
              : () => setDeleted(current)
          }
        />
        {closeButton}
      </EmbedBar>
      {isLost ? (
        <div className="my-auto">
          <EmptyState
            icon={MessageSquareOff}
            action={<Button onClick={() => session.signOut(channelId)}>Sign out</Button>}
          >
            {memberTexts.chat.channelAccessLost}
          </EmptyState>
        </div>
      ) : (
        <div className="flex min-h-0 flex-1 flex-col">
          <ConnectionBanner channelId={channelId} />
          <WallpaperBackdrop channel={channel}>
            <ChatPane
              userId={user._id}
              channelId={channelId}
              selection={selection}
              onOpenCitation={openCitation}
              limitAction={
                user.email === null && (
                  <>
                    <Button size="small" onClick={signIn}>
                      Sign in to continue
                    </Button>
                    <p role="status" className="w-full text-muted empty:hidden">
                      {popup.note}
                    </p>
                  </>
                )
              }
            />
          </WallpaperBackdrop>
        </div>
      )}
      <DeleteChatDialog
        chat={deleted}
        isBusy={selection.isRemoving}
        onConfirm={() => deleted !== null && void removeChat(deleted)}
        onCancel={() => setDeleted(null)}
        finalFocus={() => null}
      />
      <EmbedSource
        open={citation !== null}
        onLoadError={handleLoadError}
        props={{
          citation,
          documentUrl: citation === null || user.email === null ? null : findDocumentUrl(citation),
          onClose: () => setCitation(null),
        }}
      />
    </>
  )
}

/** The chat of a signed-in member or of a visitor. What it has loaded is forgotten when another user signs in. */
export function EmbeddedChat(props: Props) {
  const { user, channelId } = props
  const [client] = useState(() => createQueryClient(true))
  return (
    <QueryClientProvider client={client}>
      <EmbeddedContext value={true}>
        <TurnsProvider userId={user._id} channelId={channelId}>
          <Screen {...props} />
        </TurnsProvider>
      </EmbeddedContext>
    </QueryClientProvider>
  )
}
