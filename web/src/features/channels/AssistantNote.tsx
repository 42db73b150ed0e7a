import type { assistantsApi } from '@lyceum/contract/assistants'
import type { ReplyOf } from '@lyceum/contract/endpoint'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { resolveAssistantQuery } from '#features/assistants/queries.ts'

type Resolved = ReplyOf<typeof assistantsApi.resolve>

function whoOf({ kind, name }: Resolved): string | null {
  switch (kind) {
    case 'preset':
      return `“${name}” of this installation answers.`
    case 'external':
      return name === null
        ? 'The server of assistants is asked for this id.'
        : `“${name}” answers, on the server of assistants.`
    case 'none':
      return null
  }
}

/** Who would answer for an assistant id; a warning keeps nobody from saving it. */
export function AssistantNote({ assistantId }: { assistantId: string }) {
  const { data, isFetching } = useQuery(resolveAssistantQuery(assistantId))
  const who = data === undefined ? null : whoOf(data)
  return (
    // As high without words: what stands below does not move under the pointer.
    <div aria-live="polite" className="-mt-2 flex min-h-8 flex-col gap-1 text-xs">
      {data === undefined && isFetching && <p className="text-muted">Looking for who answers…</p>}
      {who !== null && (
        <p className="flex items-start gap-1.5">
          <CircleCheck aria-hidden="true" className="mt-px size-3.5 shrink-0 text-success" />
          <span dir="auto" className="wrap-anywhere min-w-0">
            {who}
          </span>
        </p>
      )}
      {data !== undefined && data.warning !== null && (
        <p className="flex items-start gap-1.5 text-warning">
          <TriangleAlert aria-hidden="true" className="mt-px size-3.5 shrink-0" />
          <span className="wrap-anywhere min-w-0">
            {data.warning} {data.kind === 'none' && 'The channel can be saved all the same.'}
          </span>
        </p>
      )}
    </div>
  )
}
