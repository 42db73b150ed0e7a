import type { Channel } from '@lyceum/contract/channels'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { useFocusAfterDialog } from './card-focus.ts'
import { useSetArchived } from './mutations.ts'

interface Props {
  channel: Channel
  onClose: () => void
}

export function ArchiveChannelDialog({ channel, onClose }: Props) {
  const focus = useFocusAfterDialog(channel)
  const archive = useSetArchived(true)
  return (
    <ConfirmDialog
      open
      title="Archive this channel?"
      tone="primary"
      confirmLabel="Archive channel"
      busy={archive.isPending}
      onConfirm={() => archive.mutate(channel, { onSuccess: focus.reportRemoval, onSettled: onClose })}
      onCancel={onClose}
      finalFocus={focus.findTarget}
    >
      <p dir="auto" className="wrap-anywhere line-clamp-4 text-start font-medium text-ink">
        {channel.name}
      </p>
      <p className="mt-2">
        It disappears from members’ lists and becomes read-only. Its documents and chats are kept, and the
        retention period still applies. You can restore the channel at any time.
      </p>
    </ConfirmDialog>
  )
}
