import { analyticsApi, type QuestionState } from '@lyceum/contract/analytics'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** The period and the channel that the figures cover. */
export interface Scope {
  from: string
  to: string
  /** Empty means all channels. */
  channelId: string
}

const rowsPerPage = 20

export function toScopeQuery({ from, to, channelId }: Scope) {
  return {
    from,
    to,
    ...(channelId === '' ? {} : { channelId }),
  }
}

function toPageQuery(scope: Scope, page: number) {
  return {
    ...toScopeQuery(scope),
    limit: rowsPerPage,
    skip: (page - 1) * rowsPerPage,
  }
}

export function analyticsQuery(scope: Scope) {
  return queryOptions({
    queryKey: ['analytics', 'figures', toScopeQuery(scope)],
    queryFn: ({ signal }) => call(analyticsApi.get, { query: toScopeQuery(scope) }, { signal }),
    placeholderData: keepPreviousData,
  })
}

export function channelFiguresQuery(scope: Scope, page: number) {
  return queryOptions({
    queryKey: ['analytics', 'channels', toScopeQuery(scope), page],
    queryFn: ({ signal }) => call(analyticsApi.channels, { query: toPageQuery(scope, page) }, { signal }),
    placeholderData: keepPreviousData,
  })
}

export function citedDocumentsQuery(scope: Scope, page: number) {
  return queryOptions({
    queryKey: ['analytics', 'documents', toScopeQuery(scope), page],
    queryFn: ({ signal }) => call(analyticsApi.documents, { query: toPageQuery(scope, page) }, { signal }),
    placeholderData: keepPreviousData,
  })
}

export const questionsKey = ['analytics', 'questions'] as const

export function questionsQuery(scope: Scope, page: number, state: QuestionState) {
  return queryOptions({
    queryKey: [...questionsKey, toScopeQuery(scope), state, page],
    queryFn: ({ signal }) =>
      call(analyticsApi.questions, { query: { ...toPageQuery(scope, page), state } }, { signal }),
    placeholderData: keepPreviousData,
    // Every request is recorded in the audit log, so never refetch automatically.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    gcTime: 0,
  })
}
