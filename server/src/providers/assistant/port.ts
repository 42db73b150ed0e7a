import type { LanguageModel } from '@lyceum/contract/channels'
import type { ErrorCode } from '@lyceum/contract/errors'

/** A picture in a message of the user. */
export interface TurnPicture {
  mimeType: string
  /** The picture in base64. A blob, so that a request is sent without joining megabytes into one string. */
  base64: Blob
  /** Estimated. */
  tokens: number
}

export interface Turn {
  role: 'system' | 'user' | 'assistant'
  content: string
  pictures?: readonly TurnPicture[]
}

export interface ModelRequest {
  label: LanguageModel
  turns: readonly Turn[]
  /** Always false for strict channels. */
  allowWebSearch: boolean
  maxOutputTokens?: number | undefined
  /** Only sent to reasoning models. */
  reasoningEffort?: 'low' | 'medium' | 'high' | undefined
  /** Groups requests with the same beginning for the provider's prompt cache. */
  cacheKey?: string
  signal: AbortSignal
}

export interface ModelUsage {
  input: number
  cached: number
  cacheWrite: number
  output: number
  reasoning: number
  /** True if the provider reported no usage and the numbers are our estimate. */
  estimated: boolean
}

export type ModelEvent =
  | { type: 'text'; text: string }
  /** The last event. The reason is 'length' if the answer was cut at the output limit. */
  | { type: 'finish'; reason: 'stop' | 'length'; usage: ModelUsage }

/** The model that answers for a label today. */
interface ResolvedModel {
  actual: string
  /** Tells administrators why another model answers; null if the label's own model does. */
  note: string | null
  takesPictures: boolean
}

/** The answer is incomplete. The text received before the error has already been yielded. */
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
  /** Seconds after which a retry may succeed. */
  readonly retryAfter: number | null
  /** For the log and administrators, never for users. */
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
  /** Returns a copy in which these entries override the model map. */
  withModelMap(map: Readonly<Record<string, string>>): ChatModel
  /**
   * Yields text as it arrives, then one 'finish'. Throws `ModelError` if the answer is incomplete, or the abort reason if
   * the signal was aborted. Leaving the loop early closes the connection.
   */
  reply(request: ModelRequest): AsyncIterable<ModelEvent>
}

/** An endpoint that is not called for a while after several failures in a row. */
interface Pausable {
  /** In milliseconds since 1970; null if calls are not paused. */
  readonly pausedUntil: number | null
  /** Ends a pause, because an administrator wants to know whether the endpoint works again. */
  resume(): void
}

export interface EmbeddedBatch {
  vectors: Float32Array[]
  inputTokens: number
}

/** Many models expect different words before questions and passages. */
export type TextPurpose = 'question' | 'passage'

export interface Embedder extends Pausable {
  readonly model: string
  /** The same if the endpoint, the model and the text before passages are. Other vectors are not comparable. */
  readonly fingerprint: string
  embed(texts: readonly string[], purpose: TextPurpose, signal: AbortSignal): Promise<EmbeddedBatch>
}

/** Ranks passages by how well they answer a question. */
export interface Reranker extends Pausable {
  /** For administrators. */
  readonly name: string
  /** Returns the score of each text, higher is better. Throws `ModelError` unless all texts got one. */
  rerank(question: string, texts: readonly string[], signal: AbortSignal): Promise<number[]>
}

export interface ThreadRequest {
  assistantId: string
  /** A thread that contains the whole history; null if there is none. */
  threadId: string | null
  /** Earlier messages, oldest first. They start a new thread if none is given or the given one is gone. */
  history: readonly { role: 'user' | 'assistant'; content: string }[]
  question: string
  signal: AbortSignal
}

export type ThreadEvent =
  | ModelEvent
  /** The thread of the reply, and the model if the server names it. */
  | { type: 'started'; threadId: string; model: string | null }

/** Assistants on another server, which also stores their conversations. */
export interface ExternalAssistants {
  /** Null if the server has no such assistant. Throws `ModelError` if the request fails. */
  find(assistantId: string, signal: AbortSignal): Promise<{ name: string | null } | null>
  /** Like `ChatModel.reply`. Leaving the loop early cancels the run on the server. */
  reply(request: ThreadRequest): AsyncIterable<ThreadEvent>
}

/** Without a configured model `chat` is null, and the built-in extractive assistant answers. */
export interface Assistant {
  chat: ChatModel | null
  embedder: Embedder | null
  reranker: Reranker | null
  external: ExternalAssistants | null
}
