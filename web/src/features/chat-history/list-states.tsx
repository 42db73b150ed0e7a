import { Lock } from 'lucide-react'
import { ApiError, messageOf } from '#api/api-error.ts'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { RowSkeletons } from '#ui/PagedTable.tsx'
import { messages } from '../../messages/admin.ts'

/** The right may be taken while one looks: then nothing of what was loaded stays either. */
export const refusalOf = (error: Error | null): string | null =>
  error instanceof ApiError && error.status === 403
    ? messageOf(error, messages.permissions.viewChatHistory)
    : null

export const ListRefused = ({ words }: { words: string }) => (
  <Card flush>
    <EmptyState icon={Lock} hint="A system administrator decides what administrators may do.">
      {words}
    </EmptyState>
  </Card>
)

interface PendingProps {
  title: string
  pageSize: number
}

/** As high as a page of rows, so that nothing moves when they come. */
export const ListPending = ({ title, pageSize }: PendingProps) => (
  <section aria-label={title} aria-busy="true" className="flex flex-col gap-3">
    <h2 className="flex min-h-10 items-center font-semibold text-lg">{title}</h2>
    <RowSkeletons label={`Loading: ${title.toLowerCase()}…`} rows={pageSize} />
  </section>
)
