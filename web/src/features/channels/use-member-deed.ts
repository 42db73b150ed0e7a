import { channelsApi } from '@lyceum/contract/channels'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { userLists } from '#features/users/queries.ts'
import { notice } from '#ui/notice.ts'
import { messages } from '../../messages/admin.ts'

type MemberDeed = 'grant' | 'revoke' | 'promote' | 'demote'

const act = (channelId: string, userId: string, deed: MemberDeed): Promise<unknown> => {
  const params = { id: channelId }
  switch (deed) {
    case 'grant':
      return call(channelsApi.grant, { params, body: { userId } })
    case 'revoke':
      return call(channelsApi.revoke, { params, body: { userId } })
    case 'promote':
    case 'demote':
      return call(channelsApi.setMember, {
        params: { ...params, userId },
        body: { isAdmin: deed === 'promote' },
      })
  }
}

/** The person, the channel or the membership has gone since the list was read. */
const isGone = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.code === 'user.invalid_access')

/** What is done with one person's place in a channel. Under way until the lists show it. */
export const useMemberDeed = (channelId: string, userId: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (deed: MemberDeed) => act(channelId, userId, deed),
    onSuccess: () => notice.success(messages.users.channels.done),
    onError: (error) =>
      notice.error(
        isGone(error)
          ? messages.users.invalidChannelAccess
          : messageOf(error, messages.users.channels.failed),
      ),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['channels'] }),
        client.invalidateQueries({ queryKey: userLists }),
      ]),
  })
}
