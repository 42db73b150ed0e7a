import { settingsApi } from '@lyceum/contract/settings'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** The dashboard's background image, or null. Failures also give null and show no message. */
export function dashboardBackgroundQuery() {
  return queryOptions({
    queryKey: ['dashboard-background'],
    queryFn: async ({ signal }): Promise<Blob | null> => {
      const image = await call(settingsApi.background, {}, { signal })
      return image.size > 0 && image.type.startsWith('image/') ? image : null
    },
    staleTime: 5 * 60_000,
    retry: false,
    meta: { quiet: true },
  })
}
