import { settingsApi } from '@lyceum/contract/settings'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** The picture behind the dashboard, or null. A failure is none, without a word. */
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
