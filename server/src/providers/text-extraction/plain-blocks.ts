import { formatTableRows } from './table-rows.ts'
import type { TextBuilder } from './text-builder.ts'
import { bullet, endsLikeSentence, findWrapWidth, unwrapLines } from './wrapped-lines.ts'

const markdownHeading = /^(#{1,6})\s+(\S.*)$/
const numberedHeading = /^(\d{1,3}(?:\.\d{1,3}){0,4})\.?\s+(\p{Lu}.*)$/u
const maxHeadingLength = 80
const minBodyLength = 60

/** A short line that starts like a title and has no final punctuation. */
function looksLikeTitle(line: string): boolean {
  return (
    line.length <= maxHeadingLength &&
    /^[\p{Lu}\p{Lo}\p{N}]/u.test(line) &&
    (line.match(/\p{L}/gu)?.length ?? 0) >= 3 &&
    !endsLikeSentence(line) &&
    !line.includes('\t')
  )
}

/** Guesses headings where the format does not mark them, but only if running text follows. */
function guessHeadingLevel(line: string, next: string | undefined): number | null {
  if (!looksLikeTitle(line) || bullet.test(line) || !next) return null
  const followed = next.length >= minBodyLength || endsLikeSentence(next)
  if (!followed || next.includes('\t')) return null
  return 1
}

/** Derives the level from the numbering: "3.2 Leave" is below "3 Pay". */
function readNumberedLevel(line: string, next: string | undefined): number | null {
  const number = numberedHeading.exec(line)?.[1]
  if (!number || !looksLikeTitle(line) || next === undefined) return null
  // "1. Title" may also begin a list, which continues with the next number.
  const depth = number.split('.').length
  if (depth === 1 && (numberedHeading.test(next) || bullet.test(next))) return null
  return depth
}

function addLines(builder: TextBuilder, lines: string[]): void {
  const text = lines.join('\n')
  if (lines.every((line) => line.includes('\t'))) {
    const rows = lines.map((line) => line.split('\t').map((cell) => cell.trim()))
    builder.add('table', formatTableRows(rows).join('\n'))
  } else builder.add(bullet.test(lines[0] ?? '') ? 'list' : 'paragraph', text)
}

/** Adds paragraphs of a Word file, one per line. Tabs separate the cells of manually aligned tables. */
export function addParagraphs(
  builder: TextBuilder,
  paragraphs: readonly string[],
  shouldGuessHeadings = true,
): void {
  let group: string[] = []
  function flush(): void {
    if (group.length > 0) addLines(builder, group)
    group = []
  }
  function getKind(line: string): string {
    return line.includes('\t') ? 'table' : bullet.test(line) ? 'list' : 'text'
  }
  const lines = paragraphs.map((line) => line.trim()).filter(Boolean)
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1]
    const level = shouldGuessHeadings
      ? (readNumberedLevel(line, next) ?? guessHeadingLevel(line, next))
      : null
    const previous = group.at(-1)
    if (level || previous === undefined || getKind(line) === 'text' || getKind(line) !== getKind(previous))
      flush()
    if (level) builder.addHeading(level, line)
    else group.push(line)
  }
  flush()
}

function isUnderline(line: string | undefined): boolean {
  return line !== undefined && /^(={3,}|-{3,})\s*$/.test(line)
}

/** Removes the number signs that may close a Markdown heading. */
function removeClosingMarks(title: string): string {
  let end = title.length
  while (title[end - 1] === '#') end -= 1
  return title.slice(0, end).trimEnd() || title
}

/** Adds the heading that begins at line `at`, if any, and returns how many lines it has. */
function addHeading(
  builder: TextBuilder,
  lines: readonly string[],
  at: number,
  after: string | undefined,
): number {
  const line = (lines[at] ?? '').trim()
  const marked = markdownHeading.exec(line)
  if (marked?.[1] && marked[2]) {
    builder.addHeading(marked[1].length, removeClosingMarks(marked[2]))
    return 1
  }
  if (isUnderline(lines[at + 1]) && line && line.length <= maxHeadingLength) {
    builder.addHeading(lines[at + 1]?.startsWith('=') ? 1 : 2, line)
    return 2
  }
  const isAlone = lines.length === 1
  const level = isAlone ? (readNumberedLevel(line, after) ?? guessHeadingLevel(line, after)) : null
  if (level) builder.addHeading(level, line)
  return level ? 1 : 0
}

interface Chunk {
  lines: string[]
  isCode: boolean
}

function addChunk(
  builder: TextBuilder,
  chunk: readonly string[],
  { after, wrapWidth }: { after: string | undefined; wrapWidth: number | null },
): void {
  let at = addHeading(builder, chunk, 0, after)
  while (at < chunk.length) {
    let end = at
    while (end < chunk.length && !markdownHeading.test((chunk[end] ?? '').trim())) end += 1
    const lines = chunk.slice(at, end)
    if (lines.length > 0) addLines(builder, wrapWidth === null ? lines : unwrapLines(lines, wrapWidth))
    at = end < chunk.length ? end + addHeading(builder, chunk, end, undefined) : end
  }
}

function splitIntoChunks(text: string): Chunk[] {
  const chunks: Chunk[] = []
  let lines: string[] = []
  let isCode = false
  function flush(): void {
    if (lines.length > 0) chunks.push({ lines, isCode })
    lines = []
  }
  for (const raw of text.split('\n')) {
    const line = raw.trimEnd()
    if (/^\s*(```|~~~)/.test(line)) {
      flush()
      isCode = !isCode
    } else if (line === '' && !isCode) flush()
    else lines.push(line)
  }
  flush()
  return chunks
}

/**
 * Adds plain text: blank lines separate paragraphs, Markdown headings and fences are recognized. Keeps line breaks, except
 * in a text that was wrapped at a width.
 */
export function addPlainText(builder: TextBuilder, text: string): void {
  const chunks = splitIntoChunks(text)
  const wrapWidth = findWrapWidth(chunks.filter(({ isCode }) => !isCode).map(({ lines }) => lines))
  for (const [index, { lines, isCode }] of chunks.entries()) {
    if (isCode) builder.add('code', lines.join('\n'))
    else addChunk(builder, lines, { after: chunks[index + 1]?.lines.join(' '), wrapWidth })
  }
}
