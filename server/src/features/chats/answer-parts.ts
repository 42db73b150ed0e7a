import type { ReplyMode } from '@lyceum/contract/chats'
import type { ModelCall } from './model-calls.ts'
import type { StoredCitation } from './present.ts'
import type { HistoryTurn } from './question.ts'

/** What an answer is made of, in order. */
export type AnswerPart =
  | { type: 'status'; status: 'searching' | 'thinking' | 'checking' }
  | { type: 'text'; text: string }
  | { type: 'citation'; citation: StoredCitation }
  /** How the answer comes about; the last one said counts. */
  | { type: 'mode'; mode: ReplyMode }

export interface AnswerRequest {
  channel: {
    id: string
    system_prompt: string
    llm_model: string
    strict_documents_only: 0 | 1
    use_assistant: 0 | 1
    assistant_id: string
  }
  userId: string
  chatId: string
  /** What the question follows; null at the beginning of a chat. */
  parentId: string | null
  /** The reply that is being written. */
  messageId: string
  question: string
  /** Oldest first. */
  history: readonly HistoryTurn[]
  signal: AbortSignal
  /** Learns of every call of a model as it is made. */
  calls: ModelCall[]
}
