import { invitationsApi } from '@lyceum/contract/invitations'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** Key prefix of all queries of this feature. */
export const invitationsKey = ['invitations'] as const

const invitationsPerPage = 10

/** One page of invitations; pages start at 1. */
export function invitationPageQuery(page: number) {
  return queryOptions({
    queryKey: [...invitationsKey, { page }],
    queryFn: async ({ signal }) => {
      const query = { limit: invitationsPerPage, skip: (page - 1) * invitationsPerPage }
      const response = await call(invitationsApi.list, { query }, { signal })
      return Array.isArray(response) ? { items: response, total: response.length, totalPages: 1 } : response
    },
    // Invitations may be accepted at any time.
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
}
