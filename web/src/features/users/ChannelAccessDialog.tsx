import type { User } from '@lyceum/contract/auth'
import { messageOf } from '#api/api-error.ts'
import { formatCount } from '#lib/format-count.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { CheckList } from '#ui/CheckList.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { UserLine } from '#ui/UserLine.tsx'
import { useChannelAccess } from './channel-access.ts'

function Channels({ access }: { access: ReturnType<typeof useChannelAccess> }) {
  const { user, channels, chosen, countMembers, toggle } = access
  if (user.data !== undefined && channels.data !== undefined) {
    return (
      <CheckList
        label="Channels"
        searchLabel="Search channels"
        items={channels.data.map((channel) => ({
          id: channel._id,
          label: channel.name,
          hint: formatCount(countMembers(channel), 'member'),
        }))}
        chosen={chosen}
        onToggle={toggle}
        empty="There are no channels yet."
      />
    )
  }
  const error = user.error ?? channels.error
  if (error === null) return <Skeleton className="h-60 rounded-card" />
  return (
    <div className="flex flex-col items-start gap-3">
      <Banner tone="danger">{messageOf(error, 'The channels could not be loaded.')}</Banner>
      <Button onClick={() => void Promise.all([user.refetch(), channels.refetch()])}>Try again</Button>
    </div>
  )
}

interface Props {
  user: User
  onClose: () => void
}

/** Grants and revokes a user's access to channels. Each change is saved immediately. */
export function ChannelAccessDialog({ user, onClose }: Props) {
  const access = useChannelAccess(user._id)
  return (
    <Dialog
      open
      onClose={onClose}
      title="Channel Permissions"
      description={<UserLine user={user} />}
      isLoading={access.user.isPending || access.channels.isPending}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <Channels access={access} />
      <p className="mt-3 text-muted text-xs">
        Changes apply immediately. Removing access hides the user’s chats in that channel; they return if
        access is restored.
      </p>
    </Dialog>
  )
}
