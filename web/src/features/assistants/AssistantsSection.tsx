import { getRefusalText } from '@lyceum/contract/permissions'
import { Lock } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { messageOf } from '#api/api-error.ts'
import { useCan } from '#features/auth/use-can.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'

interface Props {
  title: string
  intro: ReactNode
  action?: ReactNode
  query: { error: Error | null; refetch: () => Promise<unknown> }
  loadingText: string
  errorText: string
  /** Null until the query has data. */
  children: ReactNode
}

function Content({ query, loadingText, errorText, children }: Props) {
  const canView = useCan('canManageChannels')
  if (!canView) {
    return (
      <p className="flex items-start gap-2 px-5 pb-5 text-muted text-sm">
        <Lock aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        {getRefusalText('canManageChannels')}
      </p>
    )
  }
  if (children !== null) return children
  if (query.error === null) {
    return (
      <div role="status" className="px-5 pb-5">
        <span className="sr-only">{loadingText}</span>
        <Skeleton className="h-40 rounded-card" />
      </div>
    )
  }
  return (
    <div className="flex flex-col items-start gap-3 px-5 pb-5">
      <Banner tone="danger">{messageOf(query.error, errorText)}</Banner>
      <Button onClick={() => void query.refetch()}>Try again</Button>
    </div>
  )
}

/** A settings section whose content requires `canManageChannels`. */
export function AssistantsSection(props: Props) {
  const id = useId()
  return (
    <Card flush>
      <section aria-labelledby={id}>
        <div className="grid items-center gap-x-4 gap-y-2 p-5 sm:grid-cols-[minmax(0,1fr)_auto]">
          <h2 id={id} className="font-semibold text-lg">
            {props.title}
          </h2>
          <div className="flex flex-col gap-2 text-muted text-sm sm:col-span-2">{props.intro}</div>
          {props.action && <div className="max-sm:mt-1 sm:col-start-2 sm:row-start-1">{props.action}</div>}
        </div>
        <Content {...props} />
      </section>
    </Card>
  )
}
