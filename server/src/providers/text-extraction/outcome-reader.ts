import * as z from 'zod/mini'
import type { ExtractedText, ExtractionFault, TextBlock } from './port.ts'

const faults = [
  'encrypted',
  'no_text',
  'no_pages',
  'damaged',
  'too_many_pages',
  'too_much_text',
  'unsafe',
  'doctype',
  'timeout',
  'out_of_memory',
  'crashed',
] as const satisfies readonly ExtractionFault[]

const block = z.object({
  kind: z.enum(['heading', 'paragraph', 'list', 'table', 'code']),
  page: z.nullable(z.number()),
  headingPath: z.array(z.string()),
  charStart: z.number(),
  charEnd: z.number(),
})

/** The child has parsed an untrusted file, so its output is validated like any other input. */
const frame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('page'), page: z.nullable(z.number()), pages: z.number() }),
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('blocks'), blocks: z.array(block) }),
  z.object({ type: z.literal('done'), pages: z.nullable(z.number()) }),
  z.object({ type: z.literal('fault'), fault: z.enum(faults), detail: z.string() }),
])

const maxText = 8 * 1024 * 1024
/** More than `TextBuilder` makes. A child that was taken over must not fill the memory of the server. */
const maxBlocks = 100_000
const maxHeadings = 4_000_000

export type Outcome = { text: ExtractedText } | { fault: ExtractionFault; detail: string }

/** Collects a child's frames until the outcome is complete. Throws for invalid frames. */
export class OutcomeReader {
  readonly #onPage: (page: number | null, pages: number) => void
  readonly #texts: string[] = []
  readonly #blocks: TextBlock[] = []
  #length = 0
  /** The length of the headings that the blocks repeat. */
  #headings = 0
  outcome: Outcome | null = null

  constructor(onPage: (page: number | null, pages: number) => void) {
    this.#onPage = onPage
  }

  accept(value: unknown): void {
    const parsed = z.parse(frame, value)
    switch (parsed.type) {
      case 'page':
        this.#onPage(parsed.page, parsed.pages)
        break
      case 'text':
        this.#length += parsed.text.length
        if (this.#length > maxText) throw new Error('more text than allowed')
        this.#texts.push(parsed.text)
        break
      case 'blocks':
        for (const piece of parsed.blocks) {
          if (piece.charEnd > this.#length || piece.charStart > piece.charEnd)
            throw new Error('block outside the text')
          this.#headings += piece.headingPath.reduce((sum, { length }) => sum + length, 0)
          if (this.#blocks.length === maxBlocks || this.#headings > maxHeadings)
            throw new Error('more blocks than allowed')
          this.#blocks.push(piece)
        }
        break
      case 'done':
        this.outcome = { text: { text: this.#texts.join(''), blocks: this.#blocks, pages: parsed.pages } }
        break
      case 'fault':
        this.outcome = { fault: parsed.fault, detail: parsed.detail }
        break
    }
  }
}
