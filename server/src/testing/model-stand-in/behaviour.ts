import type { IncomingHttpHeaders } from 'node:http'

/** How the text of an answer is chosen; all but 'grounded' misbehave in a way our own checks must catch. */
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
  /** The connection is closed before any header. */
  | { kind: 'reset' }
  /** Headers never come. */
  | { kind: 'hang' }
  /** Silence in the middle of a stream, with the connection open. */
  | { kind: 'stall'; afterPieces: number }
  /** The connection is closed after so many bytes of the body. */
  | { kind: 'drop'; afterBytes: number }
  | { kind: 'error-event'; afterPieces: number; message?: string; code?: string }
  | { kind: 'bad-lines'; afterPieces: number; count: number }
  | { kind: 'huge-line'; bytes: number }
  | { kind: 'gzip-bomb'; bytes: number }
  /** Any body under status 200: a page of HTML, nothing at all, a recorded stream. */
  | { kind: 'body'; contentType: string; body: string | Uint8Array }

/** How the lines of a stream are written; every choice is legal in the event stream format. */
export interface Framing {
  lineEnd?: '\n' | '\r\n' | '\r'
  /** Bytes per write: 1 splits every character of several bytes. */
  slice?: number
  comments?: boolean
  byteOrderMark?: boolean
  /** 'data:x' instead of 'data: x'. */
  tight?: boolean
  /** False leaves out the closing '[DONE]'. */
  done?: boolean
  /** False ends the stream without the blank line that ends its last event. */
  lastBlankLine?: boolean
  /** The body ends with the connection instead of a last chunk. */
  closeDelimited?: boolean
}

/** What a call asks for. The last four are those of the Assistants protocol. */
export type CallKind = 'answers' | 'embeddings' | 'assistants' | 'threads' | 'messages' | 'runs'

type RunEnd =
  | { status: 'failed'; code: string; message?: string }
  | { status: 'incomplete'; reason: string }
  | { status: 'expired' | 'cancelled' | 'requires_action' }

export interface Behaviour {
  /** Which calls it is for: answers (chat completions and responses) unless said otherwise. */
  on?: CallKind
  /** How the run of an assistant ends; it completes unless said otherwise. */
  run?: RunEnd
  answer?: AnswerStyle
  /** The exact text, or the exact pieces in which it is streamed. */
  text?: string | readonly string[]
  /** Milliseconds before each piece. */
  delayMs?: number
  /** The provider's own word; null leaves it out. */
  finishReason?: string | null
  /** False reports no usage. */
  usage?: boolean
  /** Answers a request for a stream with one JSON completion. */
  asJson?: boolean
  /** Dimensions of embeddings. */
  dimensions?: number
  framing?: Framing
  fault?: Fault
}

/** What came in, as it was sent. */
export interface CapturedRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** Parsed JSON; an empty object when there was no body. */
  body: Record<string, unknown>
  /** Settles when the answer was written whole, or when the client went away before. */
  ended: Promise<'finished' | 'aborted'>
}
