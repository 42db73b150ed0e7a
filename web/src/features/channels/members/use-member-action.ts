import { channelsApi } from '@lyceum/contract/channels'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { userLists } from '#features/users/queries.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'

type MemberAction = 'grant' | 'revoke' | 'promote' | 'demote'

function act(channelId: string, userId: string, action: MemberAction): Promise<unknown> {
  const params = { id: channelId }
  switch (action) {
    case 'grant':
      return call(channelsApi.grant, { params, body: { userId } })
    case 'revoke':
      return call(channelsApi.revoke, { params, body: { userId } })
    case 'promote':
    case 'demote':
      return call(channelsApi.setMember, {
        params: { ...params, userId },
        body: { isAdmin: action === 'promote' },
      })
  }
}

/** The person, the channel or the membership has gone since the list was read. */
function isGone(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.code === 'user.invalid_access')
}

/** What is done with one person's place in a channel. Under way until the lists show it. */
export function useMemberAction(channelId: string, userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (action: MemberAction) => act(channelId, userId, action),
    onSuccess: () => banner.success(texts.users.channels.done),
    onError: (error) =>
      banner.error(
        isGone(error) ? texts.users.invalidChannelAccess : messageOf(error, texts.users.channels.failed),
      ),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['channels'] }),
        client.invalidateQueries({ queryKey: userLists }),
      ]),
  })
}
