import { quotasApi } from '@lyceum/contract/quotas'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

// Other administrators change limits too, and usage grows: a form must start with the current values.
const fresh = { gcTime: 0, staleTime: 0 } as const

export function quotaQuery() {
  return queryOptions({
    queryKey: ['quotas'],
    queryFn: ({ signal }) => call(quotasApi.get, {}, { signal }),
    ...fresh,
  })
}

export function userQuotaQuery(id: string) {
  return queryOptions({
    queryKey: ['quotas', 'user', id],
    queryFn: ({ signal }) => call(quotasApi.getForUser, { params: { id } }, { signal }),
    ...fresh,
  })
}

export function channelQuotaQuery(id: string) {
  return queryOptions({
    queryKey: ['quotas', 'channel', id],
    queryFn: ({ signal }) => call(quotasApi.getForChannel, { params: { id } }, { signal }),
    ...fresh,
  })
}
