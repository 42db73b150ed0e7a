import { QueryCache, QueryClient } from '@tanstack/react-query'
import { log } from '#lib/log.ts'
import { ApiError, isAborted } from './api-error.ts'

declare module '@tanstack/react-query' {
  interface Register {
    /** A quiet query's failure is logged and nothing else; its screen shows what it shows without data. */
    queryMeta: { quiet?: boolean }
  }
}

const transient = new Set([0, 502, 503, 504])
const retries = 2

/** A line that dropped or a server that is starting may do better; a refusal will not. */
function isWorthRetrying(failures: number, error: unknown): boolean {
  return failures < retries && error instanceof ApiError && !isAborted(error) && transient.has(error.status)
}

export function createQueryClient(retry: boolean): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (query.meta?.quiet) log('A load failed', query.queryHash, error)
      },
    }),
    defaultOptions: {
      queries: { staleTime: 10_000, retry: retry && isWorthRetrying },
      // Without a line a action fails at once and says so, instead of being done at some later moment.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

export const queryClient = createQueryClient(true)
