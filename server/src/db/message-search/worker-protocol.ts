import type { Progress } from './index-writer.ts'
import type { ChatFilters, FoundChats, FoundMessages, OwnQuery } from './port.ts'

/** The calls of the search thread, which runs them one at a time. */
export interface WorkerCalls {
  step(): Progress | Promise<Progress>
  chats(words: string, filters: ChatFilters): Promise<FoundChats>
  own(query: OwnQuery): Promise<FoundMessages>
}

export type CallName = keyof WorkerCalls

export interface CallMessage {
  call: number
  name: CallName
  args: unknown[]
}

export type AnswerMessage = { call: number; value: unknown } | { call: number; error: unknown }
