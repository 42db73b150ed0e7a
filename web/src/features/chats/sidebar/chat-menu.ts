import { type Chat, chatsApi } from '@lyceum/contract/chats'
import { FileBraces, FileDown, Pencil, Pin, PinOff, Printer, Share2, Trash2 } from 'lucide-react'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { saveFile } from '#lib/save-file.ts'
import { texts } from '#texts/member.ts'
import type { MenuItem } from '#ui/OpenMenu.tsx'
import { toast } from '#ui/toast.ts'
import type { ChatDialog } from '../ChatDialogs.tsx'
import { chatName } from './chat-label.ts'

type ExportFormat = 'markdown' | 'json'

const extensions: Record<ExportFormat, string> = { markdown: 'md', json: 'json' }

/** A name that is valid on every file system. */
function createFileName(chat: Pick<Chat, 'title' | 'createdAt'>, format: ExportFormat): string {
  const name = chatName(chat)
    .replaceAll(/[\p{Cc}\p{Cf}\\/:*?"<>|]+/gu, '-')
    .replaceAll(/^[.\s]+|[.\s]+$/g, '')
  return `${name === '' ? 'Chat' : name} ${chat.createdAt.slice(0, 10)}.${extensions[format]}`
}

/** Downloads a whole chat. */
async function exportChat(
  channelId: string,
  chat: Pick<Chat, '_id' | 'title' | 'createdAt'>,
  format: ExportFormat,
): Promise<void> {
  try {
    const params = { channelId, chatId: chat._id }
    saveFile(await call(chatsApi.export, { params, query: { format } }), createFileName(chat, format))
  } catch (error) {
    toast.error(messageOf(error, texts.chat.exportFailed))
  }
}

export interface ChatMenuOptions {
  channelId: string
  chat: Chat
  /** The chat is open and shows messages, which the list may not count yet. */
  showsMessages: boolean
  /** False beside a button that deletes the chat. */
  hasDelete: boolean
  onShow: (dialog: ChatDialog) => void
  onPin: (chat: Chat, isPinned: boolean) => void
}

/** The actions on a chat. */
export function createChatItems(options: ChatMenuOptions): MenuItem[] {
  const { channelId, chat, showsMessages, hasDelete, onShow, onPin } = options
  const needsMessages =
    chat.messageCount === 0 && !showsMessages ? { disabledReason: texts.chat.noMessages } : {}
  return [
    { label: 'Rename', icon: Pencil, onChoose: () => onShow({ kind: 'rename', chat }) },
    chat.isPinned === true
      ? { label: 'Unpin', icon: PinOff, onChoose: () => onPin(chat, false) }
      : { label: 'Pin', icon: Pin, onChoose: () => onPin(chat, true) },
    { ...needsMessages, label: 'Share', icon: Share2, onChoose: () => onShow({ kind: 'share', chat }) },
    {
      ...needsMessages,
      label: 'Export as Markdown',
      icon: FileDown,
      onChoose: () => void exportChat(channelId, chat, 'markdown'),
    },
    {
      ...needsMessages,
      label: 'Export as JSON',
      icon: FileBraces,
      onChoose: () => void exportChat(channelId, chat, 'json'),
    },
    { ...needsMessages, label: 'Print', icon: Printer, onChoose: () => onShow({ kind: 'print', chat }) },
    ...(hasDelete
      ? [
          {
            label: 'Delete',
            icon: Trash2,
            tone: 'danger' as const,
            onChoose: () => onShow({ kind: 'remove', chat }),
          },
        ]
      : []),
  ]
}
