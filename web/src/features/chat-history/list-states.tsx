import { Lock } from 'lucide-react'
import { ApiError, messageOf } from '#api/api-error.ts'
import { texts } from '#texts/admin.ts'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { RowSkeletons } from '#ui/PagedTable.tsx'

/** Returns why access was refused. The permission may be revoked at any time; loaded data must then disappear. */
export function findRefusal(error: Error | null): string | null {
  return error instanceof ApiError && error.status === 403
    ? messageOf(error, texts.permissions.viewChatHistory)
    : null
}

export function ListForbidden({ reason }: { reason: string }) {
  return (
    <Card flush>
      <EmptyState icon={Lock} hint="Ask a system administrator for the permission.">
        {reason}
      </EmptyState>
    </Card>
  )
}

interface LoadingProps {
  title: string
  pageSize: number
}

/** Takes as much space as a page of rows, to avoid a layout shift. */
export function ListLoading({ title, pageSize }: LoadingProps) {
  return (
    <section aria-label={title} aria-busy="true" className="flex flex-col gap-3">
      <h2 className="flex min-h-10 items-center font-semibold text-lg">{title}</h2>
      <RowSkeletons label={`Loading ${title.toLowerCase()}…`} rows={pageSize} />
    </section>
  )
}
