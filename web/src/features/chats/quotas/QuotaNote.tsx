import { quotasApi } from '@lyceum/contract/quotas'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { quotaLeftKey } from '../queries.ts'
import { remainingLabel } from './quota-labels.ts'

/** How often the screen checks whether messages can be sent again. */
const exhaustedPollMs = 60_000

export function quotaLeftQuery(channelId: string) {
  return queryOptions({
    queryKey: quotaLeftKey(channelId),
    queryFn: async ({ signal }) =>
      (await call(quotasApi.getRemaining, { params: { channelId } }, { signal })).left,
    // The limit resets, or an administrator raises it.
    refetchInterval: ({ state }) => (state.data?.left === 0 ? exhaustedPollMs : false),
    meta: { quiet: true },
  })
}

/** Warns below the message field when a limit is nearly used up. */
export function QuotaNote({ channelId }: { channelId: string }) {
  const { data: left } = useQuery(quotaLeftQuery(channelId))
  return (
    <p role="status" className="mt-1.5 text-sm text-warning empty:hidden">
      {left && left.left > 0 ? remainingLabel(left) : null}
    </p>
  )
}
