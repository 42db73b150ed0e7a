/** Which chats to search. Omitted filters do not restrict the search. */
export interface ChatFilters {
  userId?: string | undefined
  channelId?: string | undefined
  chatId?: string | undefined
  /** Inclusive bounds of the chat's creation time, in milliseconds. */
  from?: number | undefined
  to?: number | undefined
}

export interface FoundChat {
  id: string
  createdAt: number
  updatedAt: number
  messageCount: number
}

interface Completeness {
  /** The search stopped early because the words are very common, so there may be more results. */
  isCut: boolean
  /** The index is being built, newest messages first, so older ones may be missing. */
  isBuilding: boolean
}

export interface FoundChats extends Completeness {
  /** Unordered. */
  chats: FoundChat[]
}

export interface OwnQuery {
  words: string
  userId: string
  channelId?: string | undefined
  limit: number
  skip: number
}

export interface OwnHit {
  chatId: string
  /** Null, as is `role`, if the title of the chat matches. */
  messageId: string | null
  role: 'user' | 'assistant' | null
  excerpt: string
  at: number
}

export interface FoundMessages extends Completeness {
  /** One page: chat by chat, those with the newest hits first. */
  hits: OwnHit[]
  total: number
}

/** The maximum number of chats or messages that a search finds. */
export const foundMaximum = 1000

/**
 * Searches messages, chat titles and user names. The index is derived data: every hit is verified in the database
 * before it is returned.
 */
export interface MessageSearch {
  /** Finds chats where the title, one message, or the name or email address of the owner contains all words. */
  findChats(words: string, filters: ChatFilters): Promise<FoundChats>
  /** Finds messages in the user's own chats, in channels of which they are still a member. */
  findOwnMessages(query: OwnQuery): Promise<FoundMessages>
  /** How many changes are not indexed yet. */
  getBacklog(): Promise<{ changes: number; isBuilding: boolean }>
  /** Resolves when everything that was committed before the call is indexed. */
  waitUntilIndexed(): Promise<void>
  close(): Promise<void>
}
