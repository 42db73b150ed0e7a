import type { User } from '@lyceum/contract/auth'
import { connectedProgramsApi } from '@lyceum/contract/connected-programs'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** The user whose programs an administrator sees; null for the viewer's own. */
export type ProgramOwner = Pick<User, '_id' | 'name'> | null

/** Key prefix of all lists of connected programs. */
export const connectedProgramsKey = ['connected-programs'] as const

export function connectedProgramsQuery(owner: ProgramOwner) {
  return queryOptions({
    queryKey: [...connectedProgramsKey, owner?._id ?? null],
    queryFn: ({ signal }) =>
      owner === null
        ? call(connectedProgramsApi.list, {}, { signal })
        : call(connectedProgramsApi.listOfUser, { params: { userId: owner._id } }, { signal }),
  })
}

/** What a program asks for with this query string. */
export function consentRequestQuery(query: string) {
  return queryOptions({
    queryKey: ['consent-request', query],
    queryFn: ({ signal }) => call(connectedProgramsApi.describe, { body: { query } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
