import type { Readable } from 'node:stream'
import type { DocumentKind } from '@lyceum/contract/documents'

export type BlockKind = 'heading' | 'paragraph' | 'list' | 'table' | 'code'

/** A structural piece of a document's text; offsets are UTF-16 code units into `ExtractedText.text`. */
export interface TextBlock {
  kind: BlockKind
  /** 1-based; null where the format has no stable pages. */
  page: number | null
  /** The headings this block stands under, outermost first; a heading's own text is the last of its path. */
  headingPath: string[]
  charStart: number
  charEnd: number
}

/** The canonical text of a document version: passages and citations are offsets into it. */
export interface ExtractedText {
  text: string
  blocks: TextBlock[]
  pages: number | null
}

export type ExtractionFault =
  | 'encrypted'
  | 'no_text'
  | 'no_pages'
  | 'damaged'
  | 'too_many_pages'
  | 'too_much_text'
  | 'unsafe'
  | 'timeout'
  | 'out_of_memory'
  | 'crashed'

/** The file cannot be read; `fault` says why. Trying again will not help except after 'crashed' and 'timeout'. */
export class ExtractionError extends Error {
  readonly fault: ExtractionFault
  constructor(fault: ExtractionFault, options?: ErrorOptions) {
    super(`text extraction: ${fault}`, options)
    this.fault = fault
  }
}

export interface ExtractionRequest {
  kind: DocumentKind
  open: () => Promise<Readable>
  signal?: AbortSignal
  /** From 0 to 100, at most a few times a second. */
  onProgress?: (percent: number) => void
}

export interface TextExtractor {
  extract(request: ExtractionRequest): Promise<ExtractedText>
  close(): Promise<void>
}
