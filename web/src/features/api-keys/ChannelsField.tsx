import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { channelsQuery, isOwnChannel } from '#features/channels/queries.ts'
import { texts } from '#texts/member.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { CheckList } from '#ui/CheckList.tsx'
import { FieldGroup } from '#ui/FieldGroup.tsx'
import { RadioCard } from '#ui/RadioCard.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import type { KeyOwner } from './queries.ts'

interface ListProps {
  owner: KeyOwner
  chosen: readonly string[]
  onChange: (channelIds: string[]) => void
}

function ChannelList({ owner, chosen, onChange }: ListProps) {
  const { data, error, refetch } = useQuery({ ...channelsQuery(), meta: { quiet: true } })
  if (data === undefined) {
    if (error === null) return <Skeleton className="h-40" />
    return (
      <div className="flex flex-col items-start gap-3">
        <Banner tone="danger">{messageOf(error, texts.apiKeys.loadChannelsFailed)}</Banner>
        <Button size="small" onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    )
  }
  const channels = data.filter((channel) =>
    owner === null ? isOwnChannel(channel) : owner.channels.includes(channel._id),
  )
  return (
    <CheckList
      label={owner === null ? 'Your channels' : 'Channels of this user'}
      searchLabel="Search channels"
      items={channels.map(({ _id, name }) => ({ id: _id, label: name }))}
      chosen={new Set(chosen)}
      onToggle={(id, isChosen) =>
        onChange(isChosen ? [...chosen, id] : chosen.filter((other) => other !== id))
      }
      empty={owner === null ? 'You have no channels yet.' : 'This user has no channels yet.'}
    />
  )
}

interface Props {
  owner: KeyOwner
  /** Null for all channels of the owner. */
  value: string[] | null
  error: string | undefined
  onChange: (value: string[] | null) => void
}

/** Chooses between all channels of the owner and some of them. */
export function ChannelsField({ owner, value, error, onChange }: Props) {
  return (
    <FieldGroup name="channelIds" label="Channels" error={error}>
      <div className="grid gap-3 sm:grid-cols-2">
        <RadioCard
          name="channel-choice"
          label={owner === null ? 'All your channels' : 'All channels of this user'}
          text={`Including channels ${owner === null ? 'you' : 'they'} join later.`}
          isChosen={value === null}
          onChoose={() => onChange(null)}
        />
        <RadioCard
          name="channel-choice"
          label="Selected channels"
          text="Only the channels you select."
          isChosen={value !== null}
          onChoose={() => onChange([])}
        />
      </div>
      {value !== null && (
        <div className="mt-3">
          <ChannelList owner={owner} chosen={value} onChange={onChange} />
        </div>
      )}
    </FieldGroup>
  )
}
