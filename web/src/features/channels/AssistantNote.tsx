import type { assistantsApi } from '@lyceum/contract/assistants'
import type { ReplyOf } from '@lyceum/contract/endpoint'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { resolveAssistantQuery } from '#features/assistants/queries.ts'

type ResolvedAssistant = ReplyOf<typeof assistantsApi.resolve>

function describeAssistant({ kind, name }: ResolvedAssistant): string | null {
  switch (kind) {
    case 'preset':
      return `Uses “${name}”.`
    case 'external':
      return name === null
        ? 'Uses an assistant from the assistants server.'
        : `Uses “${name}” from the assistants server.`
    case 'none':
      return null
  }
}

/** Shows which assistant an id refers to. A warning does not prevent saving. */
export function AssistantNote({ assistantId }: { assistantId: string }) {
  const { data, isFetching } = useQuery(resolveAssistantQuery(assistantId))
  const description = data === undefined ? null : describeAssistant(data)
  const note = useRef<HTMLDivElement>(null)
  const hasWarning = typeof data?.warning === 'string'
  // Below the field that is being filled in, in a small window out of view.
  useEffect(() => {
    const isFieldInUse = note.current?.parentElement?.contains(document.activeElement) ?? false
    if (hasWarning && isFieldInUse) note.current?.scrollIntoView({ block: 'nearest' })
  }, [hasWarning])
  return (
    // Keep the height while empty, so that the fields below do not move.
    <div ref={note} aria-live="polite" className="-mt-2 flex min-h-8 flex-col gap-1 text-xs">
      {data === undefined && isFetching && <p className="text-muted">Checking the assistant…</p>}
      {description !== null && (
        <p className="flex items-start gap-1.5">
          <CircleCheck aria-hidden="true" className="mt-px size-3.5 shrink-0 text-success" />
          <span dir="auto" className="wrap-anywhere min-w-0">
            {description}
          </span>
        </p>
      )}
      {data !== undefined && data.warning !== null && (
        <p className="flex items-start gap-1.5 text-warning">
          <TriangleAlert aria-hidden="true" className="mt-px size-3.5 shrink-0" />
          <span className="wrap-anywhere min-w-0">
            {data.warning} {data.kind === 'none' && 'You can still save the channel.'}
          </span>
        </p>
      )}
    </div>
  )
}
