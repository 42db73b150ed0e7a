import { type GroupDetail, groupChannelMaximum } from '@lyceum/contract/groups'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { channelsQuery } from '#features/channels/queries.ts'
import { formatCount } from '#lib/format-count.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { CheckList } from '#ui/CheckList.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { DiscardDialog } from '#ui/DiscardDialog.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { QuestionSubject } from '#ui/QuestionSubject.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { useUnsavedInput } from '#ui/use-unsaved-input.ts'
import { describeNoLosses } from './describe-no-losses.ts'
import { useAddChannels, useRemoveChannel } from './mutations.ts'
import { groupLossesQuery } from './queries.ts'

interface AddProps {
  group: GroupDetail
  onClose: () => void
}

/** Gives the members of a group access to several channels at once. */
export function AddChannelsDialog({ group, onClose }: AddProps) {
  const { data, error, isPending, refetch } = useQuery(channelsQuery())
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const add = useAddChannels(group._id)
  const taken = new Set(group.channels.map(({ _id }) => _id))
  const free = data?.filter(({ _id }) => !taken.has(_id))
  const isTooMany = group.channelCount + chosen.size > groupChannelMaximum
  const unsaved = useUnsavedInput({ isChanged: chosen.size > 0, isSaving: add.isPending, onClose })
  function toggle(id: string, isChosen: boolean): void {
    const next = new Set(chosen)
    if (isChosen) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  return (
    <Dialog
      open
      onClose={unsaved.close}
      title="Add channels"
      description={<bdi className="wrap-anywhere">{group.name}</bdi>}
      isLoading={isPending}
      footer={
        <>
          <Button onClick={unsaved.close}>Cancel</Button>
          <Button
            variant="primary"
            disabled={chosen.size === 0 || isTooMany}
            busy={add.isPending}
            onClick={() =>
              add.mutate(
                (free ?? []).filter(({ _id }) => chosen.has(_id)),
                { onSuccess: onClose },
              )
            }
          >
            {chosen.size === 0 ? 'Add' : `Add ${formatCount(chosen.size, 'channel')}`}
          </Button>
        </>
      }
    >
      {isTooMany && (
        <p className="mb-3 text-danger text-sm">A group can have up to {groupChannelMaximum} channels.</p>
      )}
      {free === undefined && error === null && <Skeleton className="h-60 rounded-card" />}
      {free === undefined && error !== null && (
        <div className="flex flex-col items-start gap-3">
          <Banner tone="danger">{messageOf(error, 'The channels could not be loaded.')}</Banner>
          <Button onClick={() => void refetch()}>Try again</Button>
        </div>
      )}
      {free !== undefined && (
        <CheckList
          label="Channels"
          searchLabel="Search channels"
          items={free.map(({ _id, name }) => ({ id: _id, label: name }))}
          chosen={chosen}
          onToggle={toggle}
          empty="This group has all channels."
        />
      )}
      <DiscardDialog {...unsaved.question}>The channels have not been added.</DiscardDialog>
    </Dialog>
  )
}

interface RemoveProps {
  group: GroupDetail
  channel: { _id: string; name: string }
  /** Where to move the focus when the row is gone. */
  findOther: () => HTMLElement | null
  onClose: () => void
}

function RemoveChannelDialog({ group, channel, findOther, onClose }: RemoveProps) {
  const { data, error } = useQuery(groupLossesQuery(group._id))
  const remove = useRemoveChannel(group._id)
  const count = data?.channels.find(({ _id }) => _id === channel._id)?.userCount
  const isRemoved = useRef(false)
  return (
    <ConfirmDialog
      open
      title="Remove this channel from the group?"
      confirmLabel="Remove"
      busy={remove.isPending || (data === undefined && error === null)}
      onConfirm={() =>
        remove.mutate(channel, {
          onSuccess: () => {
            isRemoved.current = true
          },
          onSettled: onClose,
        })
      }
      onCancel={onClose}
      finalFocus={() => (isRemoved.current ? findOther() : null)}
    >
      <QuestionSubject name={channel.name} />
      <p className="mt-2">
        {count === undefined
          ? 'Members lose access unless something else gives it to them.'
          : count === 0
            ? describeNoLosses(group)
            : `${formatCount(count, 'user')} will lose access. The others have it from elsewhere, too.`}
      </p>
    </ConfirmDialog>
  )
}

interface Props {
  group: GroupDetail
  renderName: (name: string) => ReactNode
}

/** The channels that a group gives. */
export function GroupChannels({ group, renderName }: Props) {
  const [removal, setRemoval] = useState<{ _id: string; name: string } | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const hidden = group.channelCount - group.channels.length
  /** In the next row, otherwise in the one before. */
  function findOtherButton(): HTMLElement | null {
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>('[data-channel]') ?? [])]
    const removed = buttons.findIndex((button) => button.dataset['channel'] === removal?._id)
    const inRow = buttons[removed + 1] ?? buttons[removed - 1]
    return inRow ?? list.current?.closest('section')?.querySelector('button') ?? null
  }
  return (
    <>
      {group.channelCount === 0 && <p className="text-muted text-sm">This group has no channels yet.</p>}
      <ul ref={list} className="divide-y divide-hairline">
        {group.channels.map((channel) => (
          <li key={channel._id} className="flex items-center justify-between gap-3 py-1">
            {renderName(channel.name)}
            <IconButton
              icon={X}
              label={`Remove ${channel.name} from the group`}
              tip="Remove from group"
              data-channel={channel._id}
              tooltipAlign="end"
              tone="danger"
              onClick={() => setRemoval(channel)}
            />
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <p className="mt-2 text-muted text-sm">And {formatCount(hidden, 'channel')} that you cannot see.</p>
      )}
      {removal !== null && (
        <RemoveChannelDialog
          group={group}
          channel={removal}
          findOther={findOtherButton}
          onClose={() => setRemoval(null)}
        />
      )}
    </>
  )
}
