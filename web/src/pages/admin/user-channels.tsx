import type { UserAccess } from '@lyceum/contract/groups'
import { useQuery } from '@tanstack/react-query'
import { channelsQuery } from '#features/channels/queries.ts'
import { AccessOrigin, hasOrigin } from '#features/groups/AccessOrigin.tsx'
import { userAccessQuery } from '#features/groups/queries.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import { ChannelName } from './channel-name.tsx'

const chipStyle = 'inline-block rounded-control border border-hairline px-2.5 py-1'

interface ListedChannel {
  id: string
  name: string | undefined
  access: UserAccess['channels'][number] | undefined
}

/** One row for each channel, with where the access comes from at its end, or below the name on phones. */
function ChannelRows({ channels }: { channels: readonly ListedChannel[] }) {
  return (
    <ul className="-my-2 divide-y divide-hairline">
      {channels.map(({ id, name, access }) => (
        <li key={id} className="gap-x-6 py-2 sm:flex sm:items-baseline sm:justify-between">
          <span className="min-w-0 max-sm:block">
            <ChannelName name={name} />
          </span>
          {access !== undefined && <AccessOrigin channel={access} />}
        </li>
      ))}
    </ul>
  )
}

/** The channels of a user. Where access comes from is shown once there is more than what was added manually. */
export function UserChannels({ userId, ids }: { userId: string; ids: readonly string[] }) {
  const { data, isPending } = useQuery({ ...channelsQuery(), meta: { quiet: true } })
  const { data: access, isPending: isAccessPending } = useQuery({
    ...userAccessQuery(userId),
    meta: { quiet: true },
  })
  if (ids.length === 0) return <p className="text-muted text-sm">This user has no channels yet.</p>
  if (isPending || isAccessPending) return <Skeleton className="h-6" />
  // The query sorts the channels by name. The ones that the viewer cannot see are last.
  const known = data?.filter(({ _id }) => ids.includes(_id)) ?? []
  const unknown = ids.filter((id) => !known.some(({ _id }) => _id === id))
  const channels: ListedChannel[] = [...known.map(({ _id }) => _id), ...unknown].map((id) => ({
    id,
    name: known.find(({ _id }) => _id === id)?.name,
    access: access?.channels.find(({ _id }) => _id === id),
  }))
  if (access?.channels.some(hasOrigin)) return <ChannelRows channels={channels} />
  return (
    <ul className="flex flex-wrap items-start gap-2">
      {channels.map(({ id, name }) => (
        <li key={id}>
          <ChannelName name={name} className={chipStyle} />
        </li>
      ))}
    </ul>
  )
}
