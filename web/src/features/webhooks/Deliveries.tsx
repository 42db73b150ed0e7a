import type { WebhookDelivery } from '@lyceum/contract/webhooks'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { formatCount } from '#lib/format-count.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Status } from '#ui/Status.tsx'
import { Timestamp } from '#ui/Timestamp.tsx'
import { useResendDelivery } from './mutations.ts'
import { deliveriesQuery } from './queries.ts'
import { deliveryLabels, eventLabels } from './webhook-labels.ts'

interface RowProps {
  delivery: WebhookDelivery
  isSending: boolean
  onResend: () => void
}

function DeliveryRow({ delivery, isSending, onResend }: RowProps) {
  const { event, state, attempts, error, createdAt } = delivery
  const { label, tone } = deliveryLabels[state]
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2">
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex flex-wrap items-center gap-x-2 text-sm">
          {eventLabels[event]} <Status tone={tone}>{label}</Status>
        </p>
        <p className="flex flex-wrap gap-x-3 text-muted text-xs leading-5">
          <Timestamp at={createdAt} />
          {attempts > 0 && <span>{formatCount(attempts, 'attempt')}</span>}
        </p>
        {error !== null && <p className="wrap-anywhere text-danger text-xs leading-5">{error}</p>}
      </div>
      {state !== 'waiting' && (
        <Button
          size="small"
          busy={isSending}
          aria-label={`Send again: ${eventLabels[event]}, ${createdAt}`}
          onClick={onResend}
        >
          Send again
        </Button>
      )}
    </li>
  )
}

/** The last deliveries of a webhook. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const { data, error, refetch } = useQuery({ ...deliveriesQuery(webhookId), meta: { quiet: true } })
  const resend = useResendDelivery(webhookId)
  if (data === undefined && error !== null)
    return (
      <div className="flex flex-col items-start gap-3 text-sm">
        <p className="text-danger">{messageOf(error, texts.webhooks.loadDeliveriesFailed)}</p>
        <Button size="small" onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    )
  if (data === undefined)
    return (
      <div role="status">
        <span className="sr-only">Loading the deliveries…</span>
        <Skeleton className="h-12" />
      </div>
    )
  if (data.deliveries.length === 0)
    return <p className="text-muted text-sm">No deliveries yet. Tests are not listed.</p>
  return (
    <ul aria-label="Last deliveries" className="divide-y divide-hairline">
      {data.deliveries.map((delivery) => (
        <DeliveryRow
          key={delivery._id}
          delivery={delivery}
          isSending={resend.isPending && resend.variables === delivery._id}
          onResend={() => resend.mutate(delivery._id)}
        />
      ))}
    </ul>
  )
}
