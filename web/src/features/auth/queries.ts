import { authApi } from '@lyceum/contract/auth'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** Whether a mail server delivers codes and links. */
export function mailDeliveryQuery() {
  return queryOptions({
    queryKey: ['mail-delivery'],
    queryFn: async ({ signal }) => (await call(authApi.delivery, {}, { signal })).delivery === 'mail',
    meta: { quiet: true },
  })
}
