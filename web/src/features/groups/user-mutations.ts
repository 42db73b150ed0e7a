import { type Group, groupsApi } from '@lyceum/contract/groups'
import { useMutation } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { useRefreshGroups } from './mutations.ts'

interface Named {
  _id: string
  name: string
}

interface Refusal {
  group: Group
  error: unknown
}

/** Adds a user to several groups, one request for each. Resolves with the groups that refused. */
export function useAddToGroups(user: Named) {
  const refresh = useRefreshGroups()
  return useMutation({
    mutationFn: async (groups: readonly Group[]) => {
      const refusals: Refusal[] = []
      let message = ''
      for (const group of groups)
        try {
          const request = { params: { id: group._id }, body: { userIds: [user._id] } }
          message = (await call(groupsApi.addMembers, request)).message
        } catch (error) {
          refusals.push({ group, error })
        }
      return { message, refusals }
    },
    onSuccess: ({ message, refusals }, groups) => {
      const [first] = refusals
      if (first === undefined)
        banner.success(groups.length === 1 ? message : texts.groups.addedToGroups(user.name, groups.length))
      else {
        const names = refusals.map(({ group }) => group.name)
        const failed = texts.groups.addToGroupsFailed(user.name, names)
        const reason = messageOf(first.error, '')
        banner.error(reason === '' ? failed : `${failed}. ${reason}`)
      }
    },
    onSettled: refresh,
  })
}

export function useRemoveFromGroup(user: Named) {
  const refresh = useRefreshGroups()
  return useMutation({
    mutationFn: ({ _id }: Named) =>
      call(groupsApi.removeMembers, { params: { id: _id }, body: { userIds: [user._id] } }),
    onSuccess: ({ message }) => banner.success(message),
    onError: (error, { name }) =>
      banner.error(messageOf(error, texts.groups.removeFromGroupFailed(user.name, name))),
    onSettled: refresh,
  })
}
