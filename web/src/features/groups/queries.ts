import { groupsApi } from '@lyceum/contract/groups'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

const itemsPerPage = 20

/** Key prefix of all queries about groups. */
export const groupsKey = ['groups'] as const

function toPaging(page: number) {
  return { limit: itemsPerPage, skip: (page - 1) * itemsPerPage }
}

/** One page of groups; pages start at 1. */
export function groupPageQuery(page: number, search: string) {
  return queryOptions({
    queryKey: [...groupsKey, 'page', { page, search }],
    queryFn: ({ signal }) => call(groupsApi.list, { query: { ...toPaging(page), search } }, { signal }),
    placeholderData: keepPreviousData,
  })
}

/** One page of the groups to which the viewer can add the user. */
export function addableGroupPageQuery(userId: string, page: number, search: string) {
  const query = { ...toPaging(page), search, addableUserId: userId }
  return queryOptions({
    queryKey: [...groupsKey, 'addable', userId, { page, search }],
    queryFn: ({ signal }) => call(groupsApi.list, { query }, { signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
}

export function groupQuery(id: string) {
  return queryOptions({
    queryKey: [...groupsKey, 'one', id],
    queryFn: ({ signal }) => call(groupsApi.get, { params: { id } }, { signal }),
    staleTime: 0,
  })
}

export function groupMemberPageQuery(id: string, page: number, search: string) {
  return queryOptions({
    queryKey: [...groupsKey, 'members', id, { page, search }],
    queryFn: ({ signal }) =>
      call(groupsApi.members, { params: { id }, query: { ...toPaging(page), search } }, { signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
}

/** Who would lose access with the group; never cached. */
export function groupLossesQuery(id: string) {
  return queryOptions({
    queryKey: [...groupsKey, 'losses', id],
    queryFn: ({ signal }) => call(groupsApi.losses, { params: { id } }, { signal }),
    gcTime: 0,
    staleTime: 0,
  })
}

/** The groups and channels of a user, and where each access comes from. */
export function userAccessQuery(userId: string) {
  return queryOptions({
    queryKey: [...groupsKey, 'access-of-user', userId],
    queryFn: ({ signal }) => call(groupsApi.accessOfUser, { params: { id: userId } }, { signal }),
    staleTime: 0,
  })
}

/** One page of the groups that give access to a channel. */
export function channelGroupPageQuery(channelId: string, page: number) {
  return queryOptions({
    queryKey: [...groupsKey, 'of-channel', channelId, { page }],
    queryFn: ({ signal }) =>
      call(groupsApi.groupsOfChannel, { params: { id: channelId }, query: toPaging(page) }, { signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
}
