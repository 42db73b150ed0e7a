import type { Chat } from '@lyceum/contract/chats'
import { FileBraces, FileDown, Pencil, Printer, Trash2 } from 'lucide-react'
import type { MenuItem } from '#ui/OpenMenu.tsx'
import type { ChatDialog } from './ChatDialogs.tsx'
import { exportChat } from './export-chat.ts'

/** What a chat's menu holds. */
export const chatDeeds =
  (channelId: string, onShow: (dialog: ChatDialog) => void) =>
  (chat: Chat): MenuItem[] => [
    { label: 'Rename', icon: Pencil, onChoose: () => onShow({ kind: 'rename', chat }) },
    {
      label: 'Export as Markdown',
      icon: FileDown,
      onChoose: () => void exportChat(channelId, chat, 'markdown'),
    },
    { label: 'Export as JSON', icon: FileBraces, onChoose: () => void exportChat(channelId, chat, 'json') },
    { label: 'Print', icon: Printer, onChoose: () => onShow({ kind: 'print', chat }) },
    { label: 'Delete', icon: Trash2, tone: 'danger', onChoose: () => onShow({ kind: 'remove', chat }) },
  ]
