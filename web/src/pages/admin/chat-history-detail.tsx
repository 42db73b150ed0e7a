import type { Citation } from '@lyceum/contract/chats'
import { stripInvisible } from '@lyceum/contract/invisible-text'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ArrowDown, ArrowLeft, FileX, ScrollText, TriangleAlert } from 'lucide-react'
import { memo, type ReactNode, useCallback, useMemo, useRef, useState } from 'react'
import { useParams } from 'wouter'
import { isNotFound, messageOf } from '#api/api-error.ts'
import { useSession } from '#features/auth/SessionProvider.tsx'
import { usePermissionCheck } from '#features/auth/use-can.ts'
import { ChatFacts } from '#features/chat-history/ChatFacts.tsx'
import { chatHistoryListPath } from '#features/chat-history/chat-history-paths.ts'
import { type HistoryMessage, HistoryMessageRow } from '#features/chat-history/HistoryMessageRow.tsx'
import { historyQuery } from '#features/chat-history/queries.ts'
import { useMessageWindow } from '#features/chats/messages/use-message-window.ts'
import { Reply } from '#features/chats/reply/Reply.tsx'
import { lazyComponent } from '#lib/lazy-component.tsx'
import { useNavigationState } from '#lib/router.tsx'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextLink } from '#ui/TextLink.tsx'

const SourceDialog = lazyComponent(
  async () => (await import('#features/documents/preview/SourceDialog.tsx')).SourceDialog,
)

const retryDelayMs = 3000

function BackToList() {
  const state = useNavigationState()
  return (
    <TextLink to={chatHistoryListPath(state)} className="inline-flex items-center gap-1.5 self-start text-sm">
      <ArrowLeft aria-hidden="true" className="size-4" />
      Back to the list
    </TextLink>
  )
}

/** Opens a cited document if the user may read it. */
function useCitations(channelId: string | undefined) {
  const { user } = useSession()
  const can = usePermissionCheck()
  const [citation, setCitation] = useState<Citation | null>(null)
  const isMember = channelId !== undefined && user?.channels.includes(channelId) === true
  const canOpen = isMember || can('canPreviewDocuments') || can('canDownloadDocuments')
  const open = useCallback(
    (cited: Citation): void => {
      if (canOpen) setCitation(cited)
      else banner.error(texts.permissions.previewDocuments)
    },
    [canOpen],
  )
  return { citation, open, close: useCallback(() => setCitation(null), []) }
}

interface RowProps {
  message: HistoryMessage
  name: string
  onOpenCitation: (citation: Citation) => void
}

/** Memoized, because scrolling re-renders the list often. */
const Row = memo(({ message, name, onOpenCitation }: RowProps) => (
  <HistoryMessageRow
    message={message}
    name={name}
    reply={<Reply text={message.content} citations={message.citations} onOpenCitation={onOpenCitation} />}
  />
))

interface LogProps extends Pick<RowProps, 'name' | 'onOpenCitation'> {
  messages: readonly HistoryMessage[]
  older: { hasMore: boolean; isLoading: boolean; load: () => void }
}

/** A scrollable list of messages that renders only those near the viewport. */
function HistoryLog({ messages, name, older, onOpenCitation }: LogProps) {
  const view = useMessageWindow(messages, older)
  const hasEarlier = view.start > 0 || older.hasMore
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <h2 className="sr-only">Messages</h2>
      <section
        ref={view.scroller}
        aria-label="Messages"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the messages are scrolled with the keyboard
        tabIndex={0}
        onScroll={view.handleScroll}
        className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain rounded-card border border-hairline bg-page [scrollbar-gutter:stable]"
      >
        <div className="mx-auto max-w-3xl px-4 py-6 md:px-6">
          {hasEarlier && (
            <div className="mb-6 flex justify-center">
              <Button size="small" variant="ghost" busy={older.isLoading} onClick={view.showEarlier}>
                Show earlier messages
              </Button>
            </div>
          )}
          {messages.length === 0 && <p className="py-10 text-center text-muted text-sm">No messages yet.</p>}
          <ol ref={view.list} className="space-y-6">
            {messages.slice(view.start, view.end).map((message) => (
              <li key={message._id} data-id={message._id}>
                <Row message={message} name={name} onOpenCitation={onOpenCitation} />
              </li>
            ))}
          </ol>
        </div>
      </section>
      {view.isScrolledUp && (
        <Button
          size="small"
          className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full shadow-float"
          onClick={() => {
            view.goToEnd()
            // The button disappears, so move the focus to the messages.
            view.scroller.current?.focus({ preventScroll: true })
          }}
        >
          <ArrowDown aria-hidden="true" className="size-4" />
          Jump to latest
        </Button>
      )}
    </div>
  )
}

function Frame({ children }: { children: ReactNode }) {
  return (
    // Fills the window below the top bar, so that only the messages scroll.
    <div className="flex h-[calc(100dvh-6.5rem-1px)] min-h-[36rem] flex-col bg-surface">
      <ResultBanner />
      <div className="mx-auto flex min-h-0 w-full max-w-7xl flex-1 flex-col gap-3 px-4 py-4 md:px-6">
        <BackToList />
        {children}
      </div>
    </div>
  )
}

function LoadError({ error, retry }: { error: Error; retry: () => void }) {
  const isMissing = isNotFound(error)
  return (
    <Card flush>
      {isMissing ? (
        <EmptyState icon={FileX} hint="Chat not found. It may have been deleted, or the link is incomplete.">
          {texts.chatHistory.loadDetailFailed}
        </EmptyState>
      ) : (
        <EmptyState
          icon={TriangleAlert}
          hint={messageOf(error, '')}
          action={<Button onClick={retry}>Try again</Button>}
        >
          {texts.chatHistory.loadDetailFailed}
        </EmptyState>
      )}
    </Card>
  )
}

function ChatSkeleton() {
  return (
    <div role="status" className="flex min-h-0 flex-1 flex-col gap-3">
      <span className="sr-only">Loading the chat…</span>
      <Skeleton className="h-8 w-72 max-w-full" />
      <Skeleton className="h-14 w-full" />
      <div className="min-h-0 flex-1 rounded-card border border-hairline bg-page" />
    </div>
  )
}

function FullChat({ id }: { id: string }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    historyQuery(id),
  )
  const chat = data?.pages[0]
  const messages = useMemo(() => (data?.pages ?? []).toReversed().flatMap((page) => page.messages), [data])
  const citations = useCitations(chat?.channel._id)
  const handleLoadError = useCallback(() => {
    banner.error(texts.chatHistory.loadComponentFailed)
    citations.close()
  }, [citations.close])
  const failedAt = useRef(Number.NEGATIVE_INFINITY)
  async function loadOlder(): Promise<void> {
    // Scrolling would otherwise repeat a failing request.
    if (performance.now() - failedAt.current < retryDelayMs) return
    const next = await fetchNextPage()
    if (!next.isFetchNextPageError) return
    failedAt.current = performance.now()
    banner.error(messageOf(next.error, texts.chatHistory.loadDetailFailed))
  }
  if (chat === undefined) {
    return (
      <Frame>
        {error === null ? <ChatSkeleton /> : <LoadError error={error} retry={() => void refetch()} />}
      </Frame>
    )
  }
  return (
    <Frame>
      <h1 className="wrap-anywhere line-clamp-2 font-semibold text-xl">
        <bdi>{stripInvisible(chat.title ?? 'Chat')}</bdi>
      </h1>
      <ChatFacts chat={chat} />
      <p className="flex items-start gap-2 text-muted text-xs">
        <ScrollText aria-hidden="true" className="mt-px size-3.5 shrink-0" />
        Viewing this chat is recorded in the audit log.
      </p>
      <HistoryLog
        messages={messages}
        name={chat.user.name}
        older={{ hasMore: hasNextPage, isLoading: isFetchingNextPage, load: () => void loadOlder() }}
        onOpenCitation={citations.open}
      />
      <SourceDialog
        open={citations.citation !== null}
        onLoadError={handleLoadError}
        props={{ citation: citations.citation, onClose: citations.close }}
      />
    </Frame>
  )
}

export function ChatHistoryDetailPage() {
  const { id = '' } = useParams()
  return <FullChat key={id} id={id} />
}
