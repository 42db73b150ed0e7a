import type { User } from '@lyceum/contract/auth'
import { useQuery } from '@tanstack/react-query'
import { Check, UserPlus } from 'lucide-react'
import { userPageQuery } from '#features/users/queries.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { UserList, useUserListView } from './UserList.tsx'
import { useMemberAction } from './use-member-action.ts'

function AddButton({ channelId, user }: { channelId: string; user: User }) {
  const { mutate, isPending } = useMemberAction(channelId, user._id)
  const isMember = user.channels.includes(channelId)
  // The button stays when done, because removing it would lose the keyboard focus.
  return (
    <Button
      size="small"
      aria-description={user.name}
      aria-disabled={isMember}
      busy={isPending}
      onClick={() => !isMember && mutate('grant')}
    >
      {!isPending &&
        (isMember ? (
          <Check aria-hidden="true" className="size-4" />
        ) : (
          <UserPlus aria-hidden="true" className="size-4" />
        ))}
      {isMember ? 'Member' : 'Add'}
    </Button>
  )
}

/** Lists all users so that an administrator can add them to the channel. */
export function AddMembers({ channelId }: { channelId: string }) {
  const view = useUserListView()
  const list = useQuery({ ...userPageQuery(view.page, view.search), staleTime: 0 })
  return (
    <UserList
      label="Users"
      searchLabel="Search by name or email"
      list={list}
      view={view}
      errorText={texts.users.loadFailed}
      emptyText="No users found."
      renderActions={(user) => <AddButton channelId={channelId} user={user} />}
    />
  )
}
