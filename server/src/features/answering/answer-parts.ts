import type { UnansweredReason } from '@lyceum/contract/analytics'
import type { ReplyMode } from '@lyceum/contract/chats'
import type { ModelCall } from '#providers/assistant/model-calls.ts'
import type { HistoryTurn, TurnPictures } from '#providers/assistant/turns.ts'
import type { VerdictCounts } from '../analytics/count-usage.ts'
import type { MatchedPassage } from './source-passage.ts'
import type { StoredCitation } from './stored-citations.ts'

/** The parts of an answer, in the order in which they are sent. */
export type AnswerPart =
  | { type: 'status'; status: 'searching' | 'thinking' | 'checking' }
  | { type: 'text'; text: string }
  | { type: 'citation'; citation: StoredCitation }
  /** How the answer is written, and why it does not use the documents. If several are sent, the last one applies. */
  | { type: 'mode'; mode: ReplyMode; unanswered?: UnansweredReason | null }
  /** Whether the channel has documents to answer from. */
  | { type: 'documents'; hasDocuments: boolean }
  /** More citations were removed because their passages do not support them. */
  | { type: 'removed'; citations: number }
  /** A model was asked about more citations. */
  | { type: 'verdicts'; counts: VerdictCounts }

/** The text and citations of an earlier reply to the same question that was interrupted. */
export interface InterruptedAnswer {
  text: string
  citations: readonly StoredCitation[]
}

/** The files with text that are attached to the chat. */
export interface AttachedFiles {
  hasFiles: boolean
  /** Those closest to the question, best first. */
  passages: readonly MatchedPassage[]
}

export interface AnswerRequest {
  channel: {
    id: string
    system_prompt: string
    llm_model: string
    strict_documents_only: 0 | 1
    check_citations: 0 | 1
    use_assistant: 0 | 1
    assistant_id: string
    /** What the channel has learned from its test questions. Null applies the usual limit. */
    min_match: number | null
  }
  userId: string
  chatId: string
  /** The message before the question; null at the beginning of a chat. */
  parentId: string | null
  /** The id of the reply that is being written. */
  messageId: string
  question: string
  pictures: TurnPictures
  /** Oldest first. */
  history: readonly HistoryTurn[]
  /** Set to continue an interrupted answer: only the text after it is yielded. */
  interrupted: InterruptedAnswer | null
  attached: AttachedFiles
  signal: AbortSignal
  /** Every model call is added here when it starts. */
  calls: ModelCall[]
}
