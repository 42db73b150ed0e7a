import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { userListsKey } from '#features/users/queries.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { changeMember, type MemberAction } from '../change-member.ts'
import { channelsKey } from '../queries.ts'

/** Changes one user's membership in a channel. Pending until the lists are refetched. */
export function useMemberAction(channelId: string, userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (action: MemberAction) => changeMember({ channelId, userId, action }),
    onSuccess: () => banner.success(texts.users.channels.done),
    onError: (error) => banner.error(messageOf(error, texts.users.channels.failed)),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: channelsKey }),
        client.invalidateQueries({ queryKey: userListsKey }),
      ]),
  })
}
