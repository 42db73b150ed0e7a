import type { Role } from '@lyceum/contract/permissions'
import { type ListedUser, type UserStatus, type userSortColumns, usersApi } from '@lyceum/contract/users'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import type { UserOrder } from './use-users-view.ts'

const usersPerPage = 20

export interface UserPage {
  items: ListedUser[]
  total: number
  totalPages: number
}

/** Key prefix of all queries about users. */
export const usersKey = ['users'] as const
/** Key prefix of all user lists. */
export const userListsKey = [...usersKey, 'page'] as const

const sorting: Record<UserOrder, { sortBy?: (typeof userSortColumns)[number]; sortOrder?: 'asc' | 'desc' }> =
  {
    name: {},
    latest: { sortBy: 'lastSignInAt', sortOrder: 'desc' },
    earliest: { sortBy: 'lastSignInAt', sortOrder: 'asc' },
    newest: { sortBy: 'createdAt', sortOrder: 'desc' },
  }

interface UserListOptions {
  role?: Role | null
  status?: UserStatus | null
  order?: UserOrder
  groupId?: string | null
  exceptGroupId?: string | null
}

/** One page of users; pages start at 1. */
export function userPageQuery(
  page: number,
  search: string,
  { role = null, status = null, order = 'name', groupId = null, exceptGroupId = null }: UserListOptions = {},
) {
  return queryOptions({
    queryKey: [...userListsKey, { page, search, role, status, order, groupId, exceptGroupId }],
    queryFn: async ({ signal }): Promise<UserPage> => {
      const query = {
        limit: usersPerPage,
        skip: (page - 1) * usersPerPage,
        ...(search === '' ? {} : { search }),
        ...(role === null ? {} : { role }),
        ...(status === null ? {} : { status }),
        ...(groupId === null ? {} : { groupId }),
        ...(exceptGroupId === null ? {} : { exceptGroupId }),
        ...sorting[order],
      }
      const response = await call(usersApi.list, { query }, { signal })
      return Array.isArray(response) ? { items: response, total: response.length, totalPages: 1 } : response
    },
    placeholderData: keepPreviousData,
  })
}

/** One user with the numbers of their chats, documents and sessions; never cached. */
export function userQuery(id: string) {
  return queryOptions({
    queryKey: [...usersKey, 'one', id],
    queryFn: ({ signal }) => call(usersApi.get, { params: { id } }, { signal }),
    gcTime: 0,
    staleTime: 0,
  })
}

/** An administrator's permissions, readable by system administrators only. */
export function userPermissionsQuery(id: string) {
  return queryOptions({
    queryKey: [...usersKey, 'permissions', id],
    queryFn: ({ signal }) => call(usersApi.permissions, { params: { id } }, { signal }),
    gcTime: 0,
    staleTime: 0,
  })
}
