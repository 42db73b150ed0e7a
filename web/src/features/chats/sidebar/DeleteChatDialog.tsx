import type { Chat } from '@lyceum/contract/chats'
import { formatCount } from '#lib/format-count.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { chatName } from './chat-label.ts'

interface Props {
  /** Null while the dialog is closed. */
  chat: Pick<Chat, 'title' | 'messageCount'> | null
  isBusy: boolean
  onConfirm: () => void
  onCancel: () => void
  finalFocus: () => HTMLElement | null
}

function lossText(count: number): string {
  if (count === 0) return 'It has no messages yet.'
  return `Its ${formatCount(count, 'message')} will be lost.`
}

export function DeleteChatDialog({ chat, isBusy, onConfirm, onCancel, finalFocus }: Props) {
  return (
    <ConfirmDialog
      open={chat !== null}
      title="Delete this chat?"
      confirmLabel="Delete"
      busy={isBusy}
      onConfirm={onConfirm}
      onCancel={onCancel}
      finalFocus={finalFocus}
    >
      {chat !== null && (
        <p>
          <span className="wrap-anywhere font-medium text-ink">“{chatName(chat)}”</span> will be deleted.{' '}
          {lossText(chat.messageCount)} This cannot be undone.
        </p>
      )}
    </ConfirmDialog>
  )
}
