import { useQuery } from '@tanstack/react-query'
import { MessageSquareOff, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { isNotFound } from '#api/api-error.ts'
import type { EmbeddedSession } from '#features/auth/embedded-sign-in.ts'
import { findFocusTarget } from '#features/chats/composer/MessageInput.tsx'
import { notifyHostPage, onPanelOpened } from '#features/embedding/host-page.ts'
import { embeddedChannelQuery, visitorStartersQuery } from '#features/embedding/queries.ts'
import { useStore } from '#lib/store.ts'
import { texts } from '#texts/embedded.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loading } from '#ui/Spinner.tsx'
import { CloseButton, EmbedBar } from './embed-bar.tsx'
import { EmbeddedChat } from './embed-chat.tsx'
import { EmbedWelcome } from './embed-welcome.tsx'

interface Props {
  channelId: string
  /** The origin of the page that shows the frame. */
  site: string
  /** The frame is in a panel that its user can close. */
  isPanel: boolean
  session: EmbeddedSession
}

/** Escape closes the panel, unless it closes something inside the frame. */
function useEscape(isPanel: boolean, close: () => void): void {
  const handleEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
    if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') === null) close()
  })
  useEffect(() => {
    if (!isPanel) return
    function handle(event: KeyboardEvent): void {
      handleEscape(event)
    }
    addEventListener('keydown', handle)
    return () => removeEventListener('keydown', handle)
  }, [isPanel])
}

/** The frame before the chat begins. */
function Entrance({
  channelId,
  site,
  session,
  closeButton,
}: Omit<Props, 'isPanel'> & { closeButton: ReactNode }) {
  const { data, error, refetch } = useQuery(embeddedChannelQuery(channelId))
  // Loaded at the same time and awaited, so that nothing moves when they appear.
  const { data: questions = [], isPending: isAwaitingQuestions } = useQuery(visitorStartersQuery(channelId))
  const { former } = useStore(session)
  return (
    <>
      <EmbedBar title={data?.name ?? 'Chat'}>{closeButton}</EmbedBar>
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
        <div className="my-auto">
          {data !== undefined && !isAwaitingQuestions ? (
            <EmbedWelcome
              channel={data}
              questions={questions}
              site={site}
              former={former}
              onSignedIn={session.open}
            />
          ) : error === null ? (
            <Loading />
          ) : isNotFound(error) ? (
            <EmptyState icon={MessageSquareOff}>{texts.notAvailable}</EmptyState>
          ) : (
            <EmptyState
              icon={TriangleAlert}
              hint={texts.checkConnection}
              action={<Button onClick={() => void refetch()}>Try again</Button>}
            >
              {texts.loadFailed}
            </EmptyState>
          )}
        </div>
      </div>
    </>
  )
}

/** The chat of one channel in a frame on another site. */
export function EmbedPage({ channelId, site, isPanel, session }: Props) {
  const { user } = useStore(session)
  useEffect(() => session.start(), [session])
  useEffect(() => notifyHostPage(site, 'lyceum.ready'), [site])
  useEffect(() => onPanelOpened(site, () => findFocusTarget()?.focus()), [site])
  function closePanel(): void {
    notifyHostPage(site, 'lyceum.close')
  }
  useEscape(isPanel, closePanel)
  const closeButton = isPanel && <CloseButton onClose={closePanel} />
  return (
    <main
      id="main"
      aria-label="Chat"
      tabIndex={-1}
      className="flex h-[calc(100dvh-var(--keyboard,0px))] flex-col bg-page outline-none"
    >
      {user === null ? (
        <Entrance channelId={channelId} site={site} session={session} closeButton={closeButton} />
      ) : (
        <EmbeddedChat
          key={user._id}
          channelId={channelId}
          site={site}
          user={user}
          session={session}
          closeButton={closeButton}
        />
      )}
    </main>
  )
}
