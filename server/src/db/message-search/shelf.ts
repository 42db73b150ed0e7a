import type { ChatFilters, FoundChat } from './port.ts'

/** Filters as the index knows them: `memberId` leaves channels out of which that person is no longer a member. */
export interface ShelfFilters extends ChatFilters {
  memberId?: string | undefined
}

export interface Candidate {
  seq: number
  chatId: string
}

export interface MessageText {
  seq: number
  id: string
  chatId: string
  role: 'user' | 'assistant' | 'system'
  content: string
  createdAt: number
}

export interface TitledChat extends FoundChat {
  title: string
}

type Answer<T> = T | Promise<T>

/** What a search reads, on either database. Every list is bounded by its caller, newest first. */
export interface Shelf {
  /** Messages that have all these tokens, below a number. */
  candidates(tokens: readonly string[], before: number, limit: number): Answer<Candidate[]>
  /** Of these messages, those that are there and settled. */
  texts(seqs: readonly number[]): Answer<MessageText[]>
  /** Messages of one chat, below a number. */
  messagesOf(chatId: string, before: number, limit: number): Answer<Candidate[]>
  /** Of these chats, those that the filters let through. */
  chats(ids: readonly string[], filters: ShelfFilters): Answer<FoundChat[]>
  /** The chats that began last. */
  newestChats(
    filters: ShelfFilters,
    before: number,
    limit: number,
  ): Answer<(FoundChat & { userId: string })[]>
  titles(tokens: readonly string[], filters: ShelfFilters, limit: number): Answer<TitledChat[]>
  people(): Answer<{ id: string; name: string; email: string }[]>
  isBuilding(): Answer<boolean>
}
