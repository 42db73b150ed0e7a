import type { Document } from '@lyceum/contract/documents'
import { useQuery } from '@tanstack/react-query'
import { FileText, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Pagination } from '#ui/Pagination.tsx'
import { DocumentList, DocumentListSkeleton } from './DocumentList.tsx'
import { countPages, documentsQuery } from './queries.ts'
import { ReviewPreview } from './review/ReviewPreview.tsx'

interface Props {
  channel: { _id: string; name: string; documentCount?: number | undefined }
}

/** All documents of a channel, in any state. */
export function ChannelDocuments({ channel }: Props) {
  const [requestedPage, setPage] = useState(1)
  const [pageCount, setPageCount] = useState(countPages(channel.documentCount ?? 0))
  const page = Math.max(1, Math.min(requestedPage, pageCount))
  const [previewed, setPreviewed] = useState<Document | null>(null)
  const list = useQuery(documentsQuery({ page, channelId: channel._id }))
  const { data, error } = list
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
