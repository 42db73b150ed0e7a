import { useQuery } from '@tanstack/react-query'
import { quotaLeftQuery } from '../queries.ts'
import { remainingLabel } from './quota-labels.ts'

/** Warns below the message field when a limit is nearly used up. */
export function QuotaNote({ channelId }: { channelId: string }) {
  const { data: left } = useQuery(quotaLeftQuery(channelId))
  return (
    <p role="status" className="mt-1.5 text-sm text-warning empty:hidden">
      {left && left.left > 0 ? remainingLabel(left) : null}
    </p>
  )
}
