import { type ChatMessage, type Conversation, chatsApi } from '@lyceum/contract/chats'
import { call } from '#api/call.ts'
import { readyForMaths } from '../queries.ts'

const pageSize = 200
/** More would be a book, which the export is for; a browser would also take minutes to lay it out. */
const mostPrinted = 5_000

export interface WholeChat {
  /** Oldest first, as they are shown. */
  messages: ChatMessage[]
  /** The beginning was left out. */
  isCut: boolean
}

interface Which {
  channelId: string
  chatId: string
}

/** Fetches a chat from its end to its beginning, and says how far it is. */
export async function loadWholeChat(
  params: Which,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<WholeChat> {
  let messages: ChatMessage[] = []
  let before: string | null = null
  do {
    const query: { limit: number; before?: string } = { limit: pageSize, ...(before !== null && { before }) }
    const page: Conversation = await call(chatsApi.get, { params, query }, { signal })
    messages = [...page.messages, ...messages]
    before = page.before
    onProgress(Math.min(1, messages.length / Math.max(1, page.total)))
  } while (before !== null && messages.length < mostPrinted)
  await readyForMaths({ messages })
  return { messages: messages.filter(({ role }) => role !== 'system'), isCut: before !== null }
}
