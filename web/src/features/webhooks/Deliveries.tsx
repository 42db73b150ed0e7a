import type { WebhookDelivery } from '@lyceum/contract/webhooks'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { usePermissionCheck } from '#features/auth/use-can.ts'
import { formatDateTime, formatExactDateTime } from '#lib/date-time.ts'
import { formatCount } from '#lib/format-count.ts'
import { useCountdown } from '#lib/use-countdown.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Status } from '#ui/Status.tsx'
import { TextLink } from '#ui/TextLink.tsx'
import { useResendDelivery } from './mutations.ts'
import { deliveriesQuery } from './queries.ts'
import { describeDocument, eventLabels, getDeliveryLabel, getDeliveryLink } from './webhook-labels.ts'

function NextAttempt({ at }: { at: string }) {
  const minutes = Math.ceil(useCountdown(Date.parse(at)) / 60)
  if (minutes === 0) return <span>Next attempt now</span>
  const left = minutes < 60 ? formatCount(minutes, 'minute') : formatCount(Math.round(minutes / 60), 'hour')
  return <span title={formatDateTime(at)}>Next attempt in {left}</span>
}

/** What the event is about, with a link to where the administrator can see it. */
function Subject({ delivery }: { delivery: WebhookDelivery }) {
  const { channelName } = delivery
  const canSee = usePermissionCheck()
  const document = describeDocument(delivery)
  const link = getDeliveryLink(delivery)
  const shownLink = link !== null && canSee(link.permission) ? link : null
  return (
    <p className="wrap-anywhere text-xs leading-5">
      {document !== null &&
        (shownLink === null ? (
          <bdi>{document}</bdi>
        ) : (
          <bdi>
            <TextLink to={shownLink.to}>{document}</TextLink>
          </bdi>
        ))}
      {document !== null && channelName !== null && ' · '}
      {channelName !== null && <bdi>{channelName}</bdi>}
      {document === null && shownLink !== null && (
        <>
          {channelName !== null && ' · '}
          <TextLink to={shownLink.to}>{shownLink.label}</TextLink>
        </>
      )}
    </p>
  )
}

function SendButton({ webhookId, delivery }: { webhookId: string; delivery: WebhookDelivery }) {
  const { event, state, attempts, nextAttemptAt, createdAt } = delivery
  const { isPending, mutate } = useResendDelivery(webhookId)
  const isUnderWay = state === 'waiting' && attempts === 0 && nextAttemptAt === null
  // While it sends, the button stays where it is, because it has the focus.
  if (isUnderWay && !isPending) return null
  const action = state === 'waiting' ? 'Try now' : 'Send again'
  const label = isPending ? 'Sending…' : action
  const subject = [eventLabels[event], describeDocument(delivery), formatExactDateTime(createdAt)].filter(
    (part) => part !== null,
  )
  return (
    <Button
      size="small"
      busy={isPending}
      aria-label={`${label}: ${subject.join(', ')}`}
      onClick={() => mutate(delivery)}
    >
      {label}
    </Button>
  )
}

function DeliveryRow({ webhookId, delivery }: { webhookId: string; delivery: WebhookDelivery }) {
  const { _id, event, attempts, error, nextAttemptAt, createdAt } = delivery
  const { label, tone } = getDeliveryLabel(delivery)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2">
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex flex-wrap items-center gap-x-2 text-sm">
          {eventLabels[event]} <Status tone={tone}>{label}</Status>
        </p>
        <Subject delivery={delivery} />
        <p className="flex flex-wrap gap-x-3 text-muted text-xs leading-5">
          <time dateTime={createdAt}>{formatExactDateTime(createdAt)}</time>
          {attempts > 0 && <span>{formatCount(attempts, 'attempt')}</span>}
          {nextAttemptAt !== null && <NextAttempt at={nextAttemptAt} />}
          <span title="The receiver gets it in the header webhook-id.">
            ID <code className="wrap-anywhere">{_id}</code>
          </span>
        </p>
        {error !== null && <p className="wrap-anywhere text-danger text-xs leading-5">{error}</p>}
      </div>
      <SendButton webhookId={webhookId} delivery={delivery} />
    </li>
  )
}

/** The last deliveries of a webhook. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const { data, error, refetch } = useQuery({ ...deliveriesQuery(webhookId), meta: { quiet: true } })
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
        <DeliveryRow key={delivery._id} webhookId={webhookId} delivery={delivery} />
      ))}
    </ul>
  )
}
