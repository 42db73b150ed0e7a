import { webhooksApi } from '@lyceum/contract/webhooks'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

const refreshMs = 10_000

export function webhooksQuery() {
  return queryOptions({
    queryKey: ['webhooks'],
    queryFn: ({ signal }) => call(webhooksApi.get, {}, { signal }),
  })
}

/** The last deliveries of a webhook, kept up to date while they are shown. */
export function deliveriesQuery(webhookId: string) {
  return queryOptions({
    queryKey: ['webhook-deliveries', webhookId],
    queryFn: ({ signal }) => call(webhooksApi.deliveries, { params: { webhookId } }, { signal }),
    refetchInterval: refreshMs,
  })
}
