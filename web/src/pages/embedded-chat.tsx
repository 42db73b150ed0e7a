import type { Channel } from '@lyceum/contract/channels'
import type { Citation } from '@lyceum/contract/citations'
import { useQuery } from '@tanstack/react-query'
import { LogIn, MessagesSquare, Plus } from 'lucide-react'
import { type ReactNode, useCallback, useDeferredValue, useEffect, useId, useState } from 'react'
import { useLocation } from 'wouter'
import { type Identity, requestIdentity, toIdentity } from '#features/auth/identity-messages.ts'
import { useSession } from '#features/auth/SessionProvider.tsx'
import { usePermissionCheck } from '#features/auth/use-can.ts'
import { channelsQuery, isOwnChannel } from '#features/channels/queries.ts'
import { WallpaperBackdrop } from '#features/channels/wallpaper/WallpaperBackdrop.tsx'
import { ChatPane } from '#features/chats/ChatPane.tsx'
import { useChatSelection } from '#features/chats/sidebar/use-chat-selection.ts'
import { TurnsProvider } from '#features/chats/turns/TurnsProvider.tsx'
import { lazyComponent } from '#lib/lazy-component.tsx'
import { texts } from '#texts/member.ts'
import { Button } from '#ui/Button.tsx'
import { buttonStyle } from '#ui/button-style.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Select } from '#ui/Select.tsx'
import { Loading } from '#ui/Spinner.tsx'
import { toast } from '#ui/toast.ts'

const SourceDialog = lazyComponent(
  async () => (await import('#features/documents/preview/SourceDialog.tsx')).SourceDialog,
)

interface EmbeddedProps {
  userId: string
  channel: Channel
  identity: Identity
  /** The field for choosing a channel. */
  children: ReactNode
}

function EmbeddedChannel({ userId, channel, identity, children }: EmbeddedProps) {
  const { _id: channelId } = channel
  const selection = useChatSelection(channelId)
  const [citation, setCitation] = useState<Citation | null>(null)
  const openCitation = useCallback((opened: Citation) => setCitation(opened), [])
  const handleLoadError = useCallback(() => {
    setCitation(null)
    toast.error(texts.chat.loadComponentFailed)
  }, [])
  return (
    <>
      <header className="flex items-center gap-2 border-hairline border-b bg-page px-3 py-2">
        <div className="min-w-0 flex-1 sm:max-w-72">{children}</div>
        <p className="ml-auto hidden min-w-0 truncate text-muted text-xs sm:block" title={identity.email}>
          Signed in as {identity.name}
        </p>
        <Button variant="ghost" onClick={selection.create} className="shrink-0 max-sm:size-11 max-sm:px-0">
          <Plus aria-hidden="true" className="size-4" />
          <span className="max-sm:sr-only">New chat</span>
        </Button>
      </header>
      <WallpaperBackdrop channel={channel}>
        <ChatPane userId={userId} channelId={channelId} selection={selection} onOpenCitation={openCitation} />
      </WallpaperBackdrop>
      <SourceDialog
        open={citation !== null}
        onLoadError={handleLoadError}
        props={{
          citation,
          chat: { channelId, chatId: selection.currentId ?? '' },
          onClose: () => setCitation(null),
        }}
      />
    </>
  )
}

function NoChannels() {
  const can = usePermissionCheck()
  const canManage = can('canManageChannels')
  return (
    <div className="my-auto">
      <EmptyState
        icon={MessagesSquare}
        hint={canManage ? undefined : 'Ask an administrator for access. Your channels will appear here.'}
        action={
          canManage && (
            <a href="/admin/channels" target="_top" className={buttonStyle()}>
              Manage Channels
            </a>
          )
        }
      >
        No channels available.
      </EmptyState>
    </div>
  )
}

/** Lets the user choose a channel and shows its newest chat. */
function EmbeddedChat({ userId, identity }: Pick<EmbeddedProps, 'userId' | 'identity'>) {
  const id = useId()
  const [pathname, navigate] = useLocation()
  const { data, isPending } = useQuery({ ...channelsQuery(), meta: { quiet: true } })
  const own = (data ?? []).filter(isOwnChannel)
  // The frame's URL names the channel and its chat, so that they always change together.
  const channel = own.find(({ _id }) => pathname === `/${_id}`)
  const firstId = own[0]?._id
  const needsRedirect = channel === undefined && firstId !== undefined
  useEffect(() => {
    if (!needsRedirect) return
    // The initial URL names no channel, so no toast is needed.
    if (pathname !== '/') toast.info(texts.chat.channelAccessLost)
    navigate(`/${firstId}`, { replace: true })
  }, [needsRedirect, firstId, pathname, navigate])
  // The first chat is rendered in short steps, so that a slow phone responds to input meanwhile.
  const isShown = useDeferredValue(channel !== undefined, false)
  if (isPending || needsRedirect || (channel !== undefined && !isShown)) return <Loading fullPage />
  if (channel === undefined) return <NoChannels />
  return (
    <TurnsProvider key={`${userId} ${channel._id}`} userId={userId} channelId={channel._id}>
      <EmbeddedChannel userId={userId} channel={channel} identity={identity}>
        <label htmlFor={id} className="sr-only">
          Channel
        </label>
        <Select id={id} value={channel._id} onChange={({ target }) => navigate(`/${target.value}`)}>
          {own.map(({ _id, name }) => (
            <option key={_id} value={_id}>
              {name}
            </option>
          ))}
        </Select>
      </EmbeddedChannel>
    </TurnsProvider>
  )
}

/** The chat inside an iframe. It asks the embedding page for the user's name and email. */
export function EmbeddedChatPage() {
  const { user, isInitialized } = useSession()
  const [identity, setIdentity] = useState<Identity | null>(null)
  const email = user?.email
  useEffect(() => {
    if (email !== undefined) return requestIdentity(setIdentity)
    return
  }, [email])

  if (!isInitialized) return <Loading fullPage />
  return (
    <main aria-label="Chat" className="flex h-dvh flex-col bg-page">
      <h1 className="sr-only">Chat</h1>
      {user === null ? (
        <div className="my-auto">
          <EmptyState icon={LogIn} hint="You are signed out or your session has ended.">
            <a href="/login" target="_top" className="font-medium text-link underline underline-offset-4">
              Sign in to chat
            </a>
          </EmptyState>
        </div>
      ) : (
        <EmbeddedChat userId={user._id} identity={identity ?? toIdentity(user)} />
      )}
    </main>
  )
}
