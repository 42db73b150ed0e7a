import { apiKeysApi } from '@lyceum/contract/api-keys'
import type { User } from '@lyceum/contract/auth'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

/** The user whose keys an administrator sees; null for the viewer's own keys. */
export type KeyOwner = Pick<User, '_id' | 'name' | 'channels'> | null

/** Key prefix of all lists of API keys. */
export const apiKeysKey = ['api-keys'] as const

export function apiKeysQuery(owner: KeyOwner) {
  return queryOptions({
    queryKey: [...apiKeysKey, owner?._id ?? null],
    queryFn: ({ signal }) =>
      owner === null
        ? call(apiKeysApi.list, {}, { signal })
        : call(apiKeysApi.listOfUser, { params: { userId: owner._id } }, { signal }),
  })
}
