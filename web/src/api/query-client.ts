import { QueryCache, QueryClient } from '@tanstack/react-query'
import { log } from '#lib/log.ts'
import { ApiError, isTransient } from './api-error.ts'

declare module '@tanstack/react-query' {
  interface Register {
    /** The failure of a quiet query is only logged; the screen renders as it does without data. */
    queryMeta: { quiet?: boolean }
  }
}

const maxRetries = 2

/** A rate limit is not retried here: the screen shows how long it lasts. */
function shouldRetry(failures: number, error: unknown): boolean {
  const isLimited = error instanceof ApiError && error.status === 429
  return failures < maxRetries && isTransient(error) && !isLimited
}

export function createQueryClient(retry: boolean): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (query.meta?.quiet) log('A load failed', query.queryHash, error)
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
