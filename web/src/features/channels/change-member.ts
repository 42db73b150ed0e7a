import { channelsApi } from '@lyceum/contract/channels'
import { ApiError, isNotFound } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { texts } from '#texts/admin.ts'

export type MemberAction = 'grant' | 'revoke' | 'promote' | 'demote'

export interface MemberChange {
  userId: string | undefined
  channelId: string | undefined
  action: MemberAction
}

function createInvalidSelectionError(): ApiError {
  return new ApiError(0, 'user.invalid_access', texts.users.invalidChannelAccess)
}

/** Grants or revokes a user's access to a channel, or makes a member its administrator or an ordinary member. */
export async function changeMember({ userId, channelId, action }: MemberChange): Promise<void> {
  if (!userId || !channelId) throw createInvalidSelectionError()
  const params = { id: channelId }
  try {
    if (action === 'grant') await call(channelsApi.grant, { params, body: { userId } })
    else if (action === 'revoke') await call(channelsApi.revoke, { params, body: { userId } })
    else
      await call(channelsApi.setChannelAdmin, {
        params: { ...params, userId },
        body: { isAdmin: action === 'promote' },
      })
  } catch (error) {
    // The user, the channel or the membership was deleted after the list was loaded.
    throw isNotFound(error) ? createInvalidSelectionError() : error
  }
}
