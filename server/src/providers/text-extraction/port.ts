import type { Readable } from 'node:stream'
import type { DocumentKind, TextBlockKind } from '@lyceum/contract/documents'

/** A structural block of a document. Offsets are UTF-16 code units in `ExtractedText.text`. */
export interface TextBlock {
  kind: TextBlockKind
  /** Starts at 1; null if the format has no stable pages. */
  page: number | null
  /** The headings above this block, outermost first. A heading's path ends with its own text. */
  headingPath: string[]
  charStart: number
  charEnd: number
}

/** The canonical text of a document version. Passages and citations refer to it by offset. */
export interface ExtractedText {
  text: string
  blocks: TextBlock[]
  pages: number | null
}

export interface Extraction extends ExtractedText {
  /** Pages of a PDF that are left out because reading them took too much time or memory. */
  unreadPages: number[]
}

export type ExtractionFault =
  | 'encrypted'
  | 'no_text'
  | 'no_pages'
  | 'damaged'
  | 'too_many_pages'
  | 'too_much_text'
  | 'unsafe'
  | 'doctype'
  | 'timeout'
  | 'out_of_memory'
  | 'crashed'

/** The file cannot be read; `fault` gives the reason. A retry can only help after 'crashed'. */
export class ExtractionError extends Error {
  readonly fault: ExtractionFault
  constructor(fault: ExtractionFault, options?: ErrorOptions) {
    super(`text extraction: ${fault}`, options)
    this.fault = fault
  }
}

/** The quick lane gave up on a document, which has to be read in the slow lane. */
export class TooSlowError extends Error {}

/**
 * Each lane reads one document at a time. The quick lane gives each a few seconds, so that none holds up the others for
 * long. The slow lane gives it all the time it may have, at a low priority.
 */
export type ExtractionLane = 'quick' | 'slow'

export interface ExtractionRequest {
  kind: DocumentKind
  lane: ExtractionLane
  open: () => Promise<Readable>
  signal?: AbortSignal
  /** Percent from 0 to 100, called for each page. */
  onProgress?: (percent: number) => void
}

export interface TextExtractor {
  extract(request: ExtractionRequest): Promise<Extraction>
  close(): Promise<void>
}
