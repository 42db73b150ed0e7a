import type { UnansweredReason } from '@lyceum/contract/analytics'
import type { ReplyMode } from '@lyceum/contract/chats'
import type { ModelCall } from '#providers/assistant/model-calls.ts'
import type { HistoryTurn } from '#providers/assistant/turns.ts'
import type { StoredCitation } from './stored-citations.ts'

/** What an answer is made of, in order. */
export type AnswerPart =
  | { type: 'status'; status: 'searching' | 'thinking' | 'checking' }
  | { type: 'text'; text: string }
  | { type: 'citation'; citation: StoredCitation }
  /** How the answer comes about, and why it is not from the documents; the last one said counts. */
  | { type: 'mode'; mode: ReplyMode; unanswered?: UnansweredReason | null }

/** What an earlier reply to the same question had written before it broke off. */
export interface Continued {
  text: string
  citations: readonly StoredCitation[]
}

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
  /** Set when the answer is to be gone on with: only what comes after it is yielded. */
  continued: Continued | null
  signal: AbortSignal
  /** Learns of every call of a model as it is made. */
  calls: ModelCall[]
}
