import type { Citation } from '@lyceum/contract/citations'
import { stripInvisible } from '@lyceum/contract/invisible-text'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ArrowLeft, FileX, TriangleAlert } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { useParams } from 'wouter'
import { isNotFound, messageOf } from '#api/api-error.ts'
import { sharedChatQuery } from '#features/chats/sharing/queries.ts'
import { SharedMessages } from '#features/chats/sharing/SharedMessages.tsx'
import { formatDateTime } from '#lib/date-time.ts'
import { lazyComponent } from '#lib/lazy-component.tsx'
import { texts } from '#texts/member.ts'
import { product } from '#theme/product.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextLink } from '#ui/TextLink.tsx'
import { toast } from '#ui/toast.ts'

const SourceDialog = lazyComponent(
  async () => (await import('#features/documents/preview/SourceDialog.tsx')).SourceDialog,
)

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
  const [citation, setCitation] = useState<Citation | null>(null)
  const closeCitation = useCallback(() => setCitation(null), [])
  const handleLoadError = useCallback(() => {
    toast.error(texts.chat.loadComponentFailed)
    setCitation(null)
  }, [])
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
    <Frame channelId={channelId}>
      <header className="border-hairline border-b pb-4">
        <h1 dir="auto" className="wrap-anywhere text-start font-semibold text-2xl">
          {title}
        </h1>
        <p className="wrap-anywhere mt-1 text-muted text-sm">
          Shared by <bdi>{chat.ownerName}</bdi> · Messages up to {formatDateTime(chat.sharedAt)} · Read-only
        </p>
      </header>
      {hasNextPage && (
        <div className="flex justify-center">
          <Button size="small" variant="ghost" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show earlier messages
          </Button>
        </div>
      )}
      <SharedMessages messages={messages} ownerName={chat.ownerName} onOpenCitation={setCitation} />
      <SourceDialog
        open={citation !== null}
        onLoadError={handleLoadError}
        props={{ citation, onClose: closeCitation }}
      />
    </Frame>
  )
}

export function SharedChatPage() {
  const { id = '', shareId = '' } = useParams()
  return <SharedChatView key={`${id} ${shareId}`} channelId={id} shareId={shareId} />
}
