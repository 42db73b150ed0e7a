import type { Document } from '@lyceum/contract/documents'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FileText, TriangleAlert } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { channelsKey } from '#features/channels/queries.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Pagination } from '#ui/Pagination.tsx'
import { DocumentList, DocumentListSkeleton } from './DocumentList.tsx'
import { countPages, documentsQuery } from './queries.ts'
import { ReviewPreview } from './review/ReviewPreview.tsx'

interface Props {
  channel: { _id: string; name: string; documentCount?: number | undefined }
}

/** The counts on the channel's card change when a document can be answered from, or no longer. */
function useRefetchedCounts(documents: readonly Document[] | undefined): void {
  const client = useQueryClient()
  const answerable = documents?.filter(
    ({ status, index }) => status === 'approved' && index.state === 'ready',
  )
  const count = answerable?.length
  const known = useRef(count)
  useEffect(() => {
    if (known.current !== undefined && count !== undefined && known.current !== count)
      void client.invalidateQueries({ queryKey: channelsKey })
    known.current = count
  }, [client, count])
}

/** All documents of a channel, in any state. */
export function ChannelDocuments({ channel }: Props) {
  const [requestedPage, setPage] = useState(1)
  const [pageCount, setPageCount] = useState(countPages(channel.documentCount ?? 0))
  const page = Math.max(1, Math.min(requestedPage, pageCount))
  const [previewed, setPreviewed] = useState<Document | null>(null)
  const list = useQuery(documentsQuery({ page, channelId: channel._id }))
  const { data, error } = list
  useRefetchedCounts(list.isPlaceholderData ? undefined : data?.items)
  if (data !== undefined && !list.isPlaceholderData && data.totalPages !== pageCount) {
    setPageCount(data.totalPages)
  }

  if (data === undefined && error !== null) {
    return (
      <EmptyState
        icon={TriangleAlert}
        hint={messageOf(error, '')}
        action={<Button onClick={() => void list.refetch()}>Try again</Button>}
      >
        The documents could not be loaded.
      </EmptyState>
    )
  }
  if (data === undefined) return <DocumentListSkeleton rows={Math.min(3, channel.documentCount ?? 1)} />
  if (data.items.length === 0)
    return <EmptyState icon={FileText}>No documents in this channel yet.</EmptyState>
  return (
    <div aria-busy={list.isPlaceholderData}>
      <DocumentList label={`Documents in ${channel.name}`} documents={data.items} onPreview={setPreviewed} />
      {data.totalPages > 1 && (
        <div className="border-hairline border-t py-2">
          <Pagination
            page={page}
            totalPages={data.totalPages}
            onChange={setPage}
            label={`Pages of documents in ${channel.name}`}
          />
        </div>
      )}
      {previewed !== null && (
        <ReviewPreview
          documents={data.items}
          opened={previewed}
          isQuiet={false}
          onClose={() => setPreviewed(null)}
        />
      )}
    </div>
  )
}
