import { QueryCache, QueryClient } from '@tanstack/react-query'
import { log } from '#lib/log.ts'
import { ApiError, isTransient } from './api-error.ts'

declare module '@tanstack/react-query' {
  interface Register {
    /** The failure of a quiet query is only logged, and the screen looks as if there were no data. */
    queryMeta: { quiet?: boolean }
  }
}

const maxRetries = 2

/** Rate-limited requests are not retried here: the screen shows how long the limit lasts. */
function shouldRetry(failures: number, error: unknown): boolean {
  const isRateLimited = error instanceof ApiError && error.status === 429
  return failures < maxRetries && isTransient(error) && !isRateLimited
}

export function createQueryClient(retry: boolean): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (query.meta?.quiet) log('A query failed', query.queryHash, error)
      },
    }),
    defaultOptions: {
      queries: { staleTime: 10_000, retry: retry && shouldRetry },
      // Offline, a mutation fails at once instead of being paused and sent later.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

export const queryClient = createQueryClient(true)
