/** Which chats may answer; what is left out does not narrow. */
export interface ChatFilters {
  userId?: string | undefined
  channelId?: string | undefined
  chatId?: string | undefined
  /** Bounds of the chat's beginning, both included, in milliseconds. */
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
  /** There may be more than was counted: the words are so common that not all was looked through. */
  isCut: boolean
  /** The index is being built, newest messages first: older ones may be missing. */
  isBuilding: boolean
}

export interface FoundChats extends Completeness {
  /** In no order. */
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
  /** Both null where the chat's title is what holds the words. */
  messageId: string | null
  role: 'user' | 'assistant' | null
  excerpt: string
  at: number
}

export interface FoundMessages extends Completeness {
  /** Newest first, one page of them. */
  hits: OwnHit[]
  total: number
}

/** How many of the newest chats or messages a search finds at most. */
export const foundMaximum = 1000

/**
 * Search in the text of messages, the titles of chats and the names of people. The index is derived data; what it
 * points to is looked at in the records before it is returned.
 */
export interface MessageSearch {
  /** Chats in whose title, or in one of whose messages, or in whose owner's name or address all the words are. */
  chats(words: string, filters: ChatFilters): Promise<FoundChats>
  /** What a person said or was told in chats of theirs, in channels they are still a member of. */
  own(query: OwnQuery): Promise<FoundMessages>
  /** How much has been written that cannot be found yet. */
  backlog(): Promise<{ changes: number; isBuilding: boolean }>
  /** Resolves when all that was committed before this call can be found. */
  caughtUp(): Promise<void>
  close(): Promise<void>
}
