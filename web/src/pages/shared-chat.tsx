import { stripInvisible } from '@lyceum/contract/invisible-text'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ArrowLeft, FileX, TriangleAlert } from 'lucide-react'
import { type ReactNode, useCallback, useEffect } from 'react'
import { useParams } from 'wouter'
import { isNotFound, messageOf } from '#api/api-error.ts'
import { sharedChatQuery } from '#features/chats/sharing/queries.ts'
import { SharedMessages } from '#features/chats/sharing/SharedMessages.tsx'
import { formatDateTime } from '#lib/date-time.ts'
import { texts } from '#texts/member.ts'
import { product } from '#theme/product.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextLink } from '#ui/TextLink.tsx'
import { toast } from '#ui/toast.ts'
import { ReplySource, useSource } from './reply-source.tsx'

function Frame({ channelId, children }: { channelId: string; children: ReactNode }) {
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-5 px-4 py-6 md:px-6 md:py-8">
      <TextLink
        to={`/channels/${encodeURIComponent(channelId)}`}
        className="inline-flex items-center gap-1.5 self-start text-sm"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        Open the channel
      </TextLink>
      {children}
    </div>
  )
}

function LoadError({ error, retry }: { error: Error; retry: () => void }) {
  return (
    <Card flush>
      {isNotFound(error) ? (
        <EmptyState
          icon={FileX}
          hint="It may no longer be shared, or you are not a member of its channel. Ask the member who sent you the link."
        >
          This chat can’t be opened.
        </EmptyState>
      ) : (
        <EmptyState
          icon={TriangleAlert}
          hint={messageOf(error, '')}
          action={<Button onClick={retry}>Try again</Button>}
        >
          {texts.chat.loadMessagesFailed}
        </EmptyState>
      )}
    </Card>
  )
}

function SharedChatView({ channelId, shareId }: { channelId: string; shareId: string }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    sharedChatQuery(channelId, shareId),
  )
  const source = useSource(shareId)
  const closeSource = source.close
  const handleSourceError = useCallback(() => {
    toast.error(texts.chat.loadComponentFailed)
    closeSource()
  }, [closeSource])
  const chat = data?.pages[0]
  const title = chat === undefined ? null : stripInvisible(chat.title ?? 'Chat')
  useEffect(() => {
    if (title !== null) document.title = `${title} · ${product.name}`
  }, [title])

  // A link that was revoked meanwhile also ends a view from the cache.
  if (chat === undefined || isNotFound(error))
    return (
      <Frame channelId={channelId}>
        {error === null ? (
          <div role="status" className="space-y-5">
            <span className="sr-only">Loading the chat…</span>
            <Skeleton className="h-8 w-72 max-w-full" />
            <Skeleton className="h-40" />
          </div>
        ) : (
          <LoadError error={error} retry={() => void refetch()} />
        )}
      </Frame>
    )
  const messages = data?.pages.toReversed().flatMap((page) => page.messages) ?? []
  return (
    <div className="flex flex-1">
      <div className="min-w-0 flex-1">
        <Frame channelId={channelId}>
          <header className="border-hairline border-b pb-4">
            <h1 dir="auto" className="wrap-anywhere text-start font-semibold text-2xl">
              {title}
            </h1>
            <p className="wrap-anywhere mt-1 text-muted text-sm">
              Shared by <bdi>{chat.ownerName}</bdi> · Messages up to {formatDateTime(chat.sharedAt)} ·
              Read-only
            </p>
          </header>
          {hasNextPage && (
            <div className="flex justify-center">
              <Button
                size="small"
                variant="ghost"
                busy={isFetchingNextPage}
                onClick={() => void fetchNextPage()}
              >
                Show earlier messages
              </Button>
            </div>
          )}
          <SharedMessages messages={messages} ownerName={chat.ownerName} onOpenCitation={source.open} />
        </Frame>
      </div>
      {/* The page scrolls, and the panel stays below the bar. */}
      <div className="sticky top-14 flex h-[calc(100dvh-3.5rem)] self-start">
        <ReplySource {...source} chat={undefined} onLoadError={handleSourceError} />
      </div>
    </div>
  )
}

export function SharedChatPage() {
  const { id = '', shareId = '' } = useParams()
  return <SharedChatView key={`${id} ${shareId}`} channelId={id} shareId={shareId} />
}
