import type { Channel } from '@lyceum/contract/channels'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { counted } from './counted.ts'
import { useRemoveChannel } from './mutations.ts'

interface Props {
  channel: Channel
  onClose: () => void
}

/** Asks before a channel goes, and says what goes with it. */
export const DeleteChannelDialog = ({ channel, onClose }: Props) => {
  const remove = useRemoveChannel()
  const { documentCount = 0, memberCount = 0 } = channel
  return (
    <ConfirmDialog
      open
      title="Delete this channel?"
      confirmLabel="Delete channel"
      busy={remove.isPending}
      onConfirm={() => remove.mutate(channel, { onSettled: onClose })}
      onCancel={onClose}
    >
      <p dir="auto" className="wrap-anywhere line-clamp-4 text-start font-medium text-ink">
        {channel.name}
      </p>
      <p className="mt-2">These go with it, and cannot be brought back:</p>
      <ul className="mt-1 list-disc ps-5">
        <li>{counted(documentCount, 'document')}, with their files and what was indexed of them</li>
        <li>all chats that anyone has had in this channel</li>
        <li>its wallpaper, and the access of {counted(memberCount, 'member')}</li>
      </ul>
    </ConfirmDialog>
  )
}
