import type { User } from '@lyceum/contract/auth'
import type { UserAccess } from '@lyceum/contract/groups'
import { Fragment } from 'react'
import { messageOf } from '#api/api-error.ts'
import { formatCount } from '#lib/format-count.ts'
import { texts } from '#texts/admin.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { CheckList } from '#ui/CheckList.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { UserLine } from '#ui/UserLine.tsx'
import { useChannelAccess } from './channel-access.ts'

type Origin = Pick<UserAccess['channels'][number], 'isByHand' | 'groups' | 'issuers'>

interface HintProps {
  memberCount: number
  origin: Origin | undefined
}

/** The members of a channel, and where the user's access comes from unless it was only given manually. */
function Hint({ memberCount, origin }: HintProps) {
  const { isByHand = false, groups = [], issuers = [] } = origin ?? {}
  const givers = [...groups, ...issuers]
  return (
    <>
      {formatCount(memberCount, 'member')}
      {givers.length > 0 && (isByHand ? ' · Added manually · From ' : ' · From ')}
      {givers.map(({ _id, name }, index) => (
        <Fragment key={_id}>
          {index > 0 && ', '}
          <bdi>{name}</bdi>
        </Fragment>
      ))}
    </>
  )
}

/** Why access cannot be taken away; null if it can. */
function findRefusal(origin: Origin | undefined): string | null {
  if (origin === undefined || origin.groups.length === 0) return null
  return texts.groups.givesAccess(origin.groups, origin.isByHand)
}

function Channels({ access }: { access: ReturnType<typeof useChannelAccess> }) {
  const { user, channels, chosen, countMembers, findOrigin, toggle } = access
  if (user.data !== undefined && channels.data !== undefined && !access.isLoading) {
    return (
      <CheckList
        label="Channels"
        searchLabel="Search channels"
        items={channels.data.map((channel) => {
          const origin = findOrigin(channel._id)
          return {
            id: channel._id,
            label: channel.name,
            hint: <Hint memberCount={countMembers(channel)} origin={origin} />,
            refusal: findRefusal(origin),
          }
        })}
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
      isLoading={access.isLoading}
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
        {access.isFromIssuer && ' Access from single sign-on can only be removed until the next sign-in.'}
      </p>
    </Dialog>
  )
}
