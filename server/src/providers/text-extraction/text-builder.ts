import type { TextBlockKind } from '@lyceum/contract/documents'
import type { ExtractedText, TextBlock } from './port.ts'
import { ExtractionError } from './port.ts'

const maxTextBytes = 5 * 1024 * 1024
const maxHeadingLength = 200
/** A book has a few thousand. Each one begins a passage of its own, so more would take too long to index and delete. */
const maxHeadings = 5000
/** Of all blocks together, in characters. Every block repeats the headings above it. */
const maxHeadingPaths = 2_000_000
/** After this many blocks, short ones are joined with the next, because the server reads all of them at once. */
const maxShortBlocks = 20_000
const shortLength = 500

/** Assembles blocks into one text and records their offsets and headings. */
export class TextBuilder {
  readonly #parts: string[] = []
  readonly #blocks: TextBlock[] = []
  #openHeadings: { level: number; title: string }[] = []
  #headings = 0
  #headingPaths = 0
  #length = 0
  #bytes = 0

  addHeading(level: number, title: string, page: number | null = null): void {
    const text = title.trim()
    if (!text) return
    if (this.#headings >= maxHeadings) {
      this.#append('paragraph', text, page)
      return
    }
    this.#headings += 1
    this.#openHeadings = this.#openHeadings.filter((heading) => heading.level < level)
    this.#openHeadings.push({ level, title: text.slice(0, maxHeadingLength) })
    this.#append('heading', text, page)
  }

  add(kind: Exclude<TextBlockKind, 'heading'>, text: string, page: number | null = null): void {
    // Not with a pattern for spaces at the end: it would search the rest of every long run of spaces again and again.
    const trimmed = text.replace(/^\n+/, '').trimEnd()
    if (trimmed.trim()) this.#append(kind, trimmed, page)
  }

  finish(pages: number | null): ExtractedText {
    return { text: this.#parts.join(''), blocks: this.#blocks, pages }
  }

  #append(kind: TextBlockKind, text: string, page: number | null): void {
    const separator = this.#length === 0 ? '' : '\n\n'
    this.#bytes += Buffer.byteLength(text) + separator.length
    if (this.#bytes > maxTextBytes) throw new ExtractionError('too_much_text')
    this.#parts.push(separator, text)
    const charStart = this.#length + separator.length
    this.#length = charStart + text.length
    const last = this.#blocks.at(-1)
    if (kind !== 'heading' && last && this.#canExtend(last, page)) {
      if (last.kind !== kind) last.kind = 'paragraph'
      last.charEnd = this.#length
    } else
      this.#blocks.push({
        kind,
        page,
        headingPath: this.#takeHeadingPath(),
        charStart,
        charEnd: this.#length,
      })
  }

  #canExtend({ kind, page: lastPage, charStart, charEnd }: TextBlock, page: number | null): boolean {
    const isFull = this.#blocks.length >= maxShortBlocks
    return isFull && kind !== 'heading' && lastPage === page && charEnd - charStart < shortLength
  }

  #takeHeadingPath(): string[] {
    const path = this.#openHeadings.map((heading) => heading.title)
    this.#headingPaths += path.join('').length
    if (this.#headingPaths > maxHeadingPaths) {
      this.#openHeadings = []
      this.#headings = maxHeadings
    }
    return path
  }
}
