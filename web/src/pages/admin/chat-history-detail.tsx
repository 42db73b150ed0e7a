import type { HistoryItem } from '@lyceum/contract/chat-history'
import type { Citation } from '@lyceum/contract/citations'
import { stripInvisible } from '@lyceum/contract/invisible-text'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ChevronDown, FileX, TriangleAlert } from 'lucide-react'
import { type ReactNode, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import { useParams } from 'wouter'
import { isNotFound, messageOf } from '#api/api-error.ts'
import { useUser } from '#features/auth/SessionProvider.tsx'
import { usePermissionCheck } from '#features/auth/use-can.ts'
import { ChatFacts } from '#features/chat-history/ChatFacts.tsx'
import { chatHistoryListPath } from '#features/chat-history/chat-history-paths.ts'
import { historyFromEndQuery, historyFromStartQuery } from '#features/chat-history/queries.ts'
import { lazyComponent } from '#lib/lazy-component.tsx'
import { phoneQuery, useMediaQuery } from '#lib/use-media-query.ts'
import { texts } from '#texts/admin.ts'
import { BackToList } from '#ui/BackToList.tsx'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { LogFromEnd, LogFromStart } from './chat-history-log.tsx'

const SourceDialog = lazyComponent(
  async () => (await import('#features/documents/preview/SourceDialog.tsx')).SourceDialog,
)

const retryDelayMs = 3000

/** Opens a cited document if the user may read it. */
function useCitations(channelId: string | undefined) {
  const user = useUser()
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

function Frame({ children }: { children: ReactNode }) {
  return (
    // Fills the window below the top bar, so that only the messages scroll. On phones, the page scrolls.
    <div data-fills-window className="flex flex-col bg-surface max-sm:flex-1 sm:h-0 sm:min-h-[36rem] sm:grow">
      <ResultBanner />
      <div className="mx-auto flex w-full max-w-7xl flex-1 flex-col gap-3 sm:min-h-0 px-4 py-4 md:px-6">
        <BackToList path={chatHistoryListPath} />
        {children}
      </div>
    </div>
  )
}

/** The facts about a chat, which a phone shows only on request. */
function Facts({ chat }: { chat: HistoryItem }) {
  const isPhone = useMediaQuery(phoneQuery)
  if (!isPhone) return <ChatFacts chat={chat} />
  return (
    <details className="group">
      <summary className="flex min-h-8 cursor-pointer list-none items-center justify-between gap-3 rounded-control text-sm pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <bdi title={chat.user.name} className="min-w-0 truncate">
          {stripInvisible(chat.user.name)}
        </bdi>{' '}
        <span className="flex shrink-0 items-center gap-1 font-medium text-link">
          Details
          <ChevronDown aria-hidden="true" className="size-4 transition-transform group-open:rotate-180" />
        </span>
      </summary>
      <div className="pt-1 pb-2">
        <ChatFacts chat={chat} />
      </div>
    </details>
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

/** Loads further messages of a chat, from its beginning or from its end. */
function useMessages(id: string, isFromEnd: boolean) {
  const fromStart = useInfiniteQuery({ ...historyFromStartQuery(id), enabled: !isFromEnd })
  const fromEnd = useInfiniteQuery({ ...historyFromEndQuery(id), enabled: isFromEnd })
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = isFromEnd
    ? fromEnd
    : fromStart
  const messages = useMemo(() => {
    const pages = data?.pages ?? []
    return (isFromEnd ? pages.toReversed() : pages).flatMap((page) => page.messages)
  }, [data, isFromEnd])
  const failedAt = useRef(Number.NEGATIVE_INFINITY)
  async function load(): Promise<void> {
    // Scrolling would otherwise repeat a failing request.
    if (performance.now() - failedAt.current < retryDelayMs) return
    const next = await fetchNextPage()
    if (!next.isFetchNextPageError) return
    failedAt.current = performance.now()
    banner.error(messageOf(next.error, texts.chatHistory.loadDetailFailed))
  }
  return {
    chat: data?.pages[0],
    error,
    refetch,
    messages,
    more: { hasMore: hasNextPage, isLoading: isFetchingNextPage, load: () => void load() },
  }
}

function FullChat({ id }: { id: string }) {
  const [isFromEnd, setIsFromEnd] = useState(false)
  const { chat, error, refetch, messages, more } = useMessages(id, isFromEnd)
  // The messages are rendered in short steps, because together they would block a slow phone for 0.4 seconds.
  const isShown = useDeferredValue(chat !== undefined, false)
  const citations = useCitations(chat?.channel._id)
  const handleLoadError = useCallback(() => {
    banner.error(texts.chatHistory.loadComponentFailed)
    citations.close()
  }, [citations.close])
  if (chat === undefined || !isShown) {
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
      <Facts chat={chat} />
      {isFromEnd ? (
        <LogFromEnd messages={messages} name={chat.user.name} more={more} onOpenCitation={citations.open} />
      ) : (
        <LogFromStart
          messages={messages}
          name={chat.user.name}
          more={more}
          onOpenCitation={citations.open}
          onShowEnd={() => setIsFromEnd(true)}
        />
      )}
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
