import { Lock } from 'lucide-react'
import { ApiError, messageOf } from '#api/api-error.ts'
import { texts } from '#texts/admin.ts'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { RowSkeletons } from '#ui/PagedTable.tsx'

/** The right may be taken while one looks: then nothing of what was loaded stays either. */
export function refusalOf(error: Error | null): string | null {
  return error instanceof ApiError && error.status === 403
    ? messageOf(error, texts.permissions.viewChatHistory)
    : null
}

export function ListRefused({ words }: { words: string }) {
  return (
    <Card flush>
      <EmptyState icon={Lock} hint="A system administrator decides what administrators may do.">
        {words}
      </EmptyState>
    </Card>
  )
}

interface PendingProps {
  title: string
  pageSize: number
}

/** As high as a page of rows, so that nothing moves when they come. */
export function ListPending({ title, pageSize }: PendingProps) {
  return (
    <section aria-label={title} aria-busy="true" className="flex flex-col gap-3">
      <h2 className="flex min-h-10 items-center font-semibold text-lg">{title}</h2>
      <RowSkeletons label={`Loading: ${title.toLowerCase()}…`} rows={pageSize} />
    </section>
  )
}
