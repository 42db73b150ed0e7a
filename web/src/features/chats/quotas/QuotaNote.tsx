import { quotasApi } from '@lyceum/contract/quotas'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
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

/** Warns below the message field when a limit is nearly used up. The action appears once nothing is left. */
export function QuotaNote({ channelId, action }: { channelId: string; action?: ReactNode }) {
  const { data: left } = useQuery(quotaLeftQuery(channelId))
  return (
    <div className="mt-1.5 flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5 empty:hidden">
      <p role="status" className="min-w-0 flex-1 basis-48 text-sm text-warning empty:hidden">
        {left ? remainingLabel(left) : null}
      </p>
      {left?.left === 0 && action}
    </div>
  )
}
