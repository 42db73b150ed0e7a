import type { LanguageModel } from '@lyceum/contract/channels'
import type { ErrorCode } from '@lyceum/contract/errors'

export interface Turn {
  role: 'system' | 'user' | 'assistant'
  content: string
}

export interface ModelRequest {
  label: LanguageModel
  turns: readonly Turn[]
  /** Web search is never allowed where a channel answers from documents only. */
  allowWebSearch: boolean
  maxOutputTokens?: number | undefined
  /** For models that think before they write; to others it is not sent. */
  reasoningEffort?: 'low' | 'medium' | 'high' | undefined
  /** Groups requests with the same beginning, for the provider's own prompt cache. */
  cacheKey?: string
  signal: AbortSignal
}

export interface ModelUsage {
  input: number
  cached: number
  cacheWrite: number
  output: number
  reasoning: number
  /** True when the provider reported nothing and these are counted by us. */
  estimated: boolean
}

export type ModelEvent =
  | { type: 'text'; text: string }
  /** The last event of an answer that came whole; 'length' when it was cut at the output limit. */
  | { type: 'finish'; reason: 'stop' | 'length'; usage: ModelUsage }

/** What answers for a label today. */
interface ResolvedModel {
  actual: string
  /** Set when the label's own model is retired and another one answers: words for administrators. */
  note: string | null
}

/** Ended before the answer was whole. What was written until then has been yielded already. */
export class ModelError extends Error {
  readonly code: Extract<
    ErrorCode,
    | 'assistant.unavailable'
    | 'assistant.busy'
    | 'assistant.timeout'
    | 'assistant.not_configured'
    | 'assistant.gone'
    | 'assistant.wants_tools'
    | 'assistant.cut'
  >
  /** Seconds after which another try may succeed. */
  readonly retryAfter: number | null
  /** For the log and administrators; never sent to users. */
  readonly detail: string
  constructor(
    code: ModelError['code'],
    detail: string,
    retryAfter: number | null = null,
    options?: ErrorOptions,
  ) {
    super(`model: ${code}: ${detail}`, options)
    this.code = code
    this.detail = detail
    this.retryAfter = retryAfter
  }
}

export interface ChatModel {
  resolve(label: LanguageModel): ResolvedModel
  /** The same, with what these entries say laid over its own map of models. */
  mappedBy(map: Readonly<Record<string, string>>): ChatModel
  /**
   * Text as it comes, then one 'finish'. Throws ModelError for everything that is not a whole answer; an aborted
   * signal throws its own reason instead. Leaving the loop early closes the connection.
   */
  reply(request: ModelRequest): AsyncIterable<ModelEvent>
}

export interface Embedder {
  /** Names the model in stored embeddings: a change of it makes the old ones unusable. */
  readonly model: string
  embed(
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<{ vectors: Float32Array[]; inputTokens: number }>
}

export interface ThreadRequest {
  assistantId: string
  /** A thread that holds all that was said before the question; null where there is none. */
  threadId: string | null
  /** What was said before, oldest first: begins a thread where none is given or the given one is gone. */
  history: readonly { role: 'user' | 'assistant'; content: string }[]
  question: string
  signal: AbortSignal
}

export type ThreadEvent =
  | ModelEvent
  /** Which thread it is written into, and the model that writes if the server says so. */
  | { type: 'started'; threadId: string; model: string | null }

/** Assistants that live on another server, together with the conversations they have had. */
export interface ExternalAssistants {
  /** Null when the server knows no such assistant; throws ModelError when it cannot be asked. */
  find(assistantId: string, signal: AbortSignal): Promise<{ name: string | null } | null>
  /** As `ChatModel.reply`. A run that is left before its end is cancelled at the server. */
  reply(request: ThreadRequest): AsyncIterable<ThreadEvent>
}

/** The first two are null without a configured endpoint: the built-in extractive assistant answers then. */
export interface Assistant {
  chat: ChatModel | null
  embedder: Embedder | null
  external: ExternalAssistants | null
}
