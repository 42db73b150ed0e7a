import type { IncomingHttpHeaders } from 'node:http'

/** How the answer text is chosen. All styles but 'grounded' misbehave in ways that our checks must catch. */
export type AnswerStyle =
  | 'grounded'
  | 'general'
  | 'invents-citations'
  | 'wrong-numbers'
  | 'wrong-source'
  | 'obeys-injection'
  | 'no-answer'

type Fault =
  /** An HTTP error, with OpenAI's error body. */
  | { kind: 'status'; status: number; headers?: Record<string, string>; message?: string; code?: string }
  | { kind: 'redirect'; location: string }
  /** Closes the connection before any header. */
  | { kind: 'reset' }
  /** Never sends headers. */
  | { kind: 'hang' }
  /** Stops in the middle of a stream but keeps the connection open. */
  | { kind: 'stall'; afterPieces: number }
  /** Closes the connection after this many bytes of the body. */
  | { kind: 'drop'; afterBytes: number }
  | { kind: 'error-event'; afterPieces: number; message?: string; code?: string }
  | { kind: 'bad-lines'; afterPieces: number; count: number }
  | { kind: 'huge-line'; bytes: number }
  | { kind: 'gzip-bomb'; bytes: number }
  /** Sends any body with status 200, such as an HTML page, an empty body or a recorded stream. */
  | { kind: 'body'; contentType: string; body: string | Uint8Array }

/** Variants of the event stream format, all of them valid. */
export interface Framing {
  lineEnd?: '\n' | '\r\n' | '\r'
  /** Bytes per write; 1 splits every multi-byte character. */
  slice?: number
  comments?: boolean
  byteOrderMark?: boolean
  /** Writes 'data:x' instead of 'data: x'. */
  omitsSpace?: boolean
  /** False leaves out the closing '[DONE]'. */
  done?: boolean
  /** False omits the blank line after the last event. */
  lastBlankLine?: boolean
  /** Ends the body by closing the connection instead of with a last chunk. */
  closeDelimited?: boolean
}

/** The kind of a call. Titles are requested in the background; checks ask about citations. The last four belong to the Assistants API. */
export type CallKind =
  | 'answers'
  | 'titles'
  | 'checks'
  | 'embeddings'
  | 'reranking'
  | 'assistants'
  | 'threads'
  | 'messages'
  | 'runs'

type RunEnd =
  | { status: 'failed'; code: string; message?: string }
  | { status: 'incomplete'; reason: string }
  | { status: 'expired' | 'cancelled' | 'requires_action' }

export interface Behavior {
  /** The calls it applies to; by default answers (chat completions and responses). */
  on?: CallKind
  /** How an assistant's run ends; by default it completes. */
  run?: RunEnd
  answer?: AnswerStyle
  /** Checks of citations reject the sentences that contain this text; by default none. */
  rejects?: string
  /** The exact text, or the exact pieces in which it is streamed. */
  text?: string | readonly string[]
  /** Milliseconds before each piece. */
  delayMs?: number
  /** The provider's value; null omits it. */
  finishReason?: string | null
  /** False omits the usage. */
  usage?: boolean
  /** Reported as each kind of tokens, instead of counting them. */
  tokens?: number
  /** Answers a request for a stream with one JSON completion. */
  asJson?: boolean
  /** Dimensions of embeddings. */
  dimensions?: number
  framing?: Framing
  fault?: Fault
}

/** A request as it was received. */
export interface CapturedRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** The parsed JSON; an empty object if there was no body. */
  body: Record<string, unknown>
  /** Resolves when the answer was sent completely or the client disconnected. */
  ended: Promise<'finished' | 'aborted'>
}
