import { type Chat, chatsApi } from '@lyceum/contract/chats'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { saveFile } from '#lib/save-file.ts'
import { toast } from '#ui/toast.ts'
import { messages } from '../../messages/member.ts'
import { chatName } from './chat-label.ts'

export type ExportFormat = 'markdown' | 'json'

const endings: Record<ExportFormat, string> = { markdown: 'md', json: 'json' }

/** A name that every file system takes. */
const fileNameOf = (chat: Pick<Chat, 'title' | 'createdAt'>, format: ExportFormat): string => {
  const name = chatName(chat)
    .replaceAll(/[\p{Cc}\p{Cf}\\/:*?"<>|]+/gu, '-')
    .replaceAll(/^[.\s]+|[.\s]+$/g, '')
  return `${name === '' ? 'Chat' : name} ${chat.createdAt.slice(0, 10)}.${endings[format]}`
}

/** Hands over a whole chat as a file. */
export const exportChat = async (
  channelId: string,
  chat: Pick<Chat, '_id' | 'title' | 'createdAt'>,
  format: ExportFormat,
): Promise<void> => {
  try {
    const params = { channelId, chatId: chat._id }
    saveFile(await call(chatsApi.export, { params, query: { format } }), fileNameOf(chat, format))
  } catch (error) {
    toast.error(messageOf(error, messages.chat.exportFailed))
  }
}
