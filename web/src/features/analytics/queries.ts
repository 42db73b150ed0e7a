import { analyticsApi, type QuestionState } from '@lyceum/contract/analytics'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** Whose figures, and of which days. */
export interface Scope {
  from: string
  to: string
  channelId: string
}

const rowsPerPage = 20

export function scopeOf({ from, to, channelId }: Scope) {
  return {
    from,
    to,
    ...(channelId === '' ? {} : { channelId }),
  }
}

function pageOf(scope: Scope, page: number) {
  return {
    ...scopeOf(scope),
    limit: rowsPerPage,
    skip: (page - 1) * rowsPerPage,
  }
}

export function analyticsQuery(scope: Scope) {
  return queryOptions({
    queryKey: ['analytics', 'figures', scopeOf(scope)],
    queryFn: ({ signal }) => call(analyticsApi.get, { query: scopeOf(scope) }, { signal }),
    placeholderData: keepPreviousData,
  })
}

export function channelFiguresQuery(scope: Scope, page: number) {
  return queryOptions({
    queryKey: ['analytics', 'channels', scopeOf(scope), page],
    queryFn: ({ signal }) => call(analyticsApi.channels, { query: pageOf(scope, page) }, { signal }),
    placeholderData: keepPreviousData,
  })
}

export function citedDocumentsQuery(scope: Scope, page: number) {
  return queryOptions({
    queryKey: ['analytics', 'documents', scopeOf(scope), page],
    queryFn: ({ signal }) => call(analyticsApi.documents, { query: pageOf(scope, page) }, { signal }),
    placeholderData: keepPreviousData,
  })
}

export const questionsKey = ['analytics', 'questions'] as const

export function questionsQuery(scope: Scope, page: number, state: QuestionState) {
  return queryOptions({
    queryKey: [...questionsKey, scopeOf(scope), state, page],
    queryFn: ({ signal }) =>
      call(analyticsApi.questions, { query: { ...pageOf(scope, page), state } }, { signal }),
    placeholderData: keepPreviousData,
    // Each look is entered in the audit log: none happens by itself.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    gcTime: 0,
  })
}
