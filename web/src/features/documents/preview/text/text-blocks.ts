import type { DocumentText, TextBlockKind } from '@lyceum/contract/documents'

/** In UTF-16 code units of the whole document. */
export interface TextRange {
  start: number
  end: number
}

export interface ShownBlock {
  kind: TextBlockKind
  /** Of a heading: 1 is the outermost. */
  level: number
  start: number
  text: string
}

/** Blocks that are formatted together. */
export interface BlockGroup extends TextRange {
  /** The number of the page that begins here. */
  page: number | null
  blocks: ShownBlock[]
}

type Page = DocumentText['pages'][number]
type Block = NonNullable<DocumentText['blocks']>[number]

/** In characters. Formatting a group of this length takes a few milliseconds. */
const groupLength = 6000

function pageEnd({ start, text }: Page): number {
  return start + text.length
}

/** The paragraphs between blank lines, for a text whose blocks are not known. */
function findParagraphs({ start, text }: Page): Block[] {
  const paragraphs: Block[] = []
  let at = start
  let isAfterBlank = true
  for (const line of text.split('\n')) {
    const end = at + line.length
    const last = paragraphs.at(-1)
    if (line.trim() === '') isAfterBlank = true
    else if (isAfterBlank || last === undefined) {
      paragraphs.push({ kind: 'paragraph', start: at, end })
      isAfterBlank = false
    } else last.end = end
    at = end + 1
  }
  return paragraphs
}

function toShownBlocks(page: Page, block: Block): ShownBlock[] {
  const from = Math.max(block.start, page.start)
  const to = Math.min(block.end, pageEnd(page))
  return splitLongText(page.text.slice(from - page.start, to - page.start)).map(({ offset, text }) => ({
    kind: block.kind,
    level: block.level ?? 1,
    start: from + offset,
    text,
  }))
}

/** Cuts a long text at line ends. Each row of a table is complete, so that a cut table keeps its labels. */
function splitLongText(text: string): { offset: number; text: string }[] {
  const pieces: { offset: number; text: string }[] = []
  let offset = 0
  while (text.length - offset > groupLength) {
    const lineEnd = text.lastIndexOf('\n', offset + groupLength)
    const wordEnd = lineEnd > offset ? lineEnd : text.lastIndexOf(' ', offset + groupLength)
    const end = wordEnd > offset ? wordEnd + 1 : offset + groupLength
    pieces.push({ offset, text: text.slice(offset, end).trimEnd() })
    offset = end
  }
  return [...pieces, { offset, text: text.slice(offset) }]
}

function groupPage(page: Page, blocks: readonly Block[]): BlockGroup[] {
  const groups: BlockGroup[] = []
  let length = groupLength
  for (const block of blocks.flatMap((block) => toShownBlocks(page, block))) {
    const end = block.start + block.text.length
    const group = groups.at(-1)
    if (group === undefined || length + block.text.length > groupLength) {
      groups.push({ page: group ? null : page.page, start: block.start, end, blocks: [block] })
      length = 0
    } else {
      group.blocks.push(block)
      group.end = end
    }
    length += block.text.length
  }
  return groups
}

/** Divides the loaded text into groups of blocks. */
export function groupBlocks({ pages, blocks = [] }: Pick<DocumentText, 'pages' | 'blocks'>): BlockGroup[] {
  // A block that is cut between two parts of the text appears in both.
  const known = [...new Map(blocks.map((block) => [block.start, block])).values()]
  let next = 0
  return pages.flatMap((page) => {
    while (next < known.length && (known[next]?.end ?? 0) <= page.start) next += 1
    const own: Block[] = []
    for (let index = next; (known[index]?.start ?? pageEnd(page)) < pageEnd(page); index += 1) {
      const block = known[index]
      if (block) own.push(block)
    }
    return groupPage(page, own.length > 0 ? own : findParagraphs(page))
  })
}

export function overlaps(one: TextRange, other: TextRange): boolean {
  return one.start < other.end && one.end > other.start
}
