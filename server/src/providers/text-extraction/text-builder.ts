import type { BlockKind, ExtractedText, TextBlock } from './port.ts'
import { ExtractionError } from './port.ts'

const maxTextBytes = 5 * 1024 * 1024
const maxHeadingLength = 200

/** Assembles blocks into one text and records their offsets and headings. */
export class TextBuilder {
  readonly #parts: string[] = []
  readonly #blocks: TextBlock[] = []
  #openHeadings: { level: number; title: string }[] = []
  #length = 0
  #bytes = 0

  addHeading(level: number, title: string, page: number | null = null): void {
    const text = title.trim()
    if (!text) return
    this.#openHeadings = this.#openHeadings.filter((heading) => heading.level < level)
    this.#openHeadings.push({ level, title: text.slice(0, maxHeadingLength) })
    this.#append('heading', text, page)
  }

  add(kind: Exclude<BlockKind, 'heading'>, text: string, page: number | null = null): void {
    // Not with a pattern for spaces at the end: it would search the rest of every long run of spaces again and again.
    const trimmed = text.replace(/^\n+/, '').trimEnd()
    if (trimmed.trim()) this.#append(kind, trimmed, page)
  }

  finish(pages: number | null): ExtractedText {
    return { text: this.#parts.join(''), blocks: this.#blocks, pages }
  }

  #append(kind: BlockKind, text: string, page: number | null): void {
    const separator = this.#length === 0 ? '' : '\n\n'
    this.#bytes += Buffer.byteLength(text) + separator.length
    if (this.#bytes > maxTextBytes) throw new ExtractionError('too_much_text')
    this.#parts.push(separator, text)
    const charStart = this.#length + separator.length
    this.#length = charStart + text.length
    this.#blocks.push({
      kind,
      page,
      headingPath: this.#openHeadings.map((heading) => heading.title),
      charStart,
      charEnd: this.#length,
    })
  }
}
