import type { Channel } from '@lyceum/contract/channels'
import { useQuery } from '@tanstack/react-query'
import { formatCount } from '#lib/format-count.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { useFocusAfterDialog } from './card-focus.ts'
import { useRemoveChannel } from './mutations.ts'
import { channelContentsQuery } from './queries.ts'

interface Props {
  channel: Channel
  onClose: () => void
}

function Contents({ channel }: { channel: Channel }) {
  const { documentCount = 0, memberCount = 0, chatCount } = channel
  return (
    <>
      <p className="mt-2">This will permanently delete:</p>
      <ul className="mt-1 list-disc ps-5">
        <li>{formatCount(documentCount, 'document')}, with their files and their search index</li>
        <li>
          {chatCount === undefined
            ? 'all chats of current and former members'
            : `${formatCount(chatCount, 'chat')} of current and former members`}
        </li>
        <li>its wallpaper and the access of {formatCount(memberCount, 'member')}</li>
      </ul>
    </>
  )
}

/** Asks for confirmation and lists what will be deleted with the channel. */
export function DeleteChannelDialog({ channel, onClose }: Props) {
  const { data, isPending } = useQuery({ ...channelContentsQuery(channel._id), meta: { quiet: true } })
  const focus = useFocusAfterDialog(channel)
  const remove = useRemoveChannel()
  return (
    <ConfirmDialog
      open
      title="Delete this channel?"
      confirmLabel="Delete channel"
      busy={remove.isPending || isPending}
      onConfirm={() => remove.mutate(channel, { onSuccess: focus.reportRemoval, onSettled: onClose })}
      onCancel={onClose}
      finalFocus={focus.findTarget}
    >
      <p dir="auto" className="wrap-anywhere line-clamp-4 text-start font-medium text-ink">
        {channel.name}
      </p>
      {/* If counting fails, show the counts from the channel list. */}
      {isPending ? <Skeleton className="mt-3 h-28" /> : <Contents channel={data ?? channel} />}
    </ConfirmDialog>
  )
}
