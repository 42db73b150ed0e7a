import { type ChatMessage, type Conversation, chatsApi } from '@lyceum/contract/chats'
import { call } from '#api/call.ts'
import { loadFormulasFor } from '../queries.ts'

const pageSize = 200
/** A browser would take minutes to lay out more messages. The export has all of them. */
const maxPrintedMessages = 5_000

export interface WholeChat {
  /** Oldest first. */
  messages: ChatMessage[]
  /** Whether the oldest messages are missing. */
  isTruncated: boolean
}

interface ChatIds {
  channelId: string
  chatId: string
}

/** Loads a chat from its end to its beginning and reports the progress. */
export async function loadWholeChat(
  params: ChatIds,
  signal: AbortSignal,
  onProgress: (progress: number) => void,
): Promise<WholeChat> {
  let messages: ChatMessage[] = []
  let before: string | null = null
  do {
    const query: { limit: number; before?: string } = { limit: pageSize, ...(before !== null && { before }) }
    const page: Conversation = await call(chatsApi.get, { params, query }, { signal })
    messages = [...page.messages, ...messages]
    before = page.before
    onProgress(Math.min(1, messages.length / Math.max(1, page.total)))
  } while (before !== null && messages.length < maxPrintedMessages)
  await loadFormulasFor({ messages })
  return { messages: messages.filter(({ role }) => role !== 'system'), isTruncated: before !== null }
}
