import type { ChatFilters, FoundChat } from './port.ts'

/** `memberId` excludes channels of which that user is not a member. */
export interface RecordFilters extends ChatFilters {
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

/** The maximum number of visitors with one name. */
export const visitorsMaximum = 20

type MaybePromise<T> = T | Promise<T>

/** What a search reads from the index and the database. Lists are newest first, and the caller limits their length. */
export interface SearchRecords {
  /** Messages with all these tokens and a `seq` below `before`. */
  listCandidates(tokens: readonly string[], before: number, limit: number): MaybePromise<Candidate[]>
  /** Texts of the messages that still exist and are complete. */
  readTexts(seqs: readonly number[]): MaybePromise<MessageText[]>
  /** Messages of one chat with a `seq` below `before`. */
  listMessages(chatId: string, before: number, limit: number): MaybePromise<Candidate[]>
  /** Those of the chats that match the filters. */
  filterChats(ids: readonly string[], filters: RecordFilters): MaybePromise<FoundChat[]>
  /** Chats created before `before`. */
  listNewestChats(
    filters: RecordFilters,
    before: number,
    limit: number,
  ): MaybePromise<(FoundChat & { userId: string })[]>
  listTitles(tokens: readonly string[], filters: RecordFilters, limit: number): MaybePromise<TitledChat[]>
  /** All users but visitors, of whom there can be very many, and the newest visitors with this name. */
  listUsers(visitorName: string | null): MaybePromise<{ id: string; name: string; email: string }[]>
  isBuilding(): MaybePromise<boolean>
}
