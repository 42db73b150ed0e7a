import { quotasApi } from '@lyceum/contract/quotas'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { quotaLeftKey } from './queries.ts'
import { leftWords } from './quotas/quota-words.ts'

const quotaLeftQuery = (channelId: string) =>
  queryOptions({
    queryKey: quotaLeftKey(channelId),
    queryFn: async ({ signal }) => (await call(quotasApi.left, { params: { channelId } }, { signal })).left,
    meta: { quiet: true },
  })

/** Under the field, once little is left to ask with. */
export const QuotaNote = ({ channelId }: { channelId: string }) => {
  const { data: left } = useQuery(quotaLeftQuery(channelId))
  return (
    <p role="status" className="mt-1.5 text-sm text-warning empty:hidden">
      {left ? leftWords(left) : null}
    </p>
  )
}
