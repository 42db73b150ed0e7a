import { isUnspacedAt } from './clean-text.ts'

/** Widths at which programs and people wrap text, in columns. */
const minWidth = 50
const maxWidth = 100

export const bullet = /^\s*(?:[-*+•‣◦▪–]|\d{1,3}[.)]|[a-z][.)])\s+\S/

/** Lines whose breaks have a meaning: rows of tables, quotations, text set in columns, numbered titles. */
const fixed = /\t|^\s*(?:[|>]|\d{1,3}(?:\.\d{1,3})+\.?\s)|\S {3,}\S/

/** After a sentence, a break may be meant although the next word would not fit. */
export function endsLikeSentence(line: string): boolean {
  return /[.,;:!?…。！？、]["'”’)]?$/.test(line)
}

interface LineBreak {
  /** The width of the line, in columns. */
  width: number
  /** The width that it would have with the next word. */
  widthWithNext: number
  isAfterSentence: boolean
}

/** Chinese and Japanese characters are two columns wide. */
function measure(text: string): number {
  let width = 0
  for (const character of text) width += isUnspacedAt(character, 0) ? 2 : 1
  return width
}

/** What follows if the line were longer: a word, or a character where there are no spaces between words. */
function getNextWord(line: string): string {
  const text = line.trimStart()
  if (isUnspacedAt(text, 0)) return text.charAt(0)
  return text.split(' ', 1)[0] ?? ''
}

/** Returns null if the next line must remain a line of its own. */
function measureBreak(line: string, next: string): LineBreak | null {
  if (fixed.test(line) || fixed.test(next) || bullet.test(next)) return null
  const width = measure(line)
  const gap = isUnspacedAt(line, -1) ? 0 : 1
  const widthWithNext = width + gap + measure(getNextWord(next))
  return { width, widthWithNext, isAfterSentence: endsLikeSentence(line) }
}

function listBreaks(lines: readonly string[]): (LineBreak | null)[] {
  return lines.slice(1).map((next, at) => measureBreak(lines[at] ?? '', next))
}

/**
 * Returns the width at which most lines of a text break because the next word does not fit, in columns. Null if there is
 * none, so that the breaks seem to be meant.
 */
export function findWrapWidth(paragraphs: readonly (readonly string[])[]): number | null {
  const breaks = paragraphs
    .flatMap(listBreaks)
    .filter((entry): entry is LineBreak => entry !== null && !entry.isAfterSentence)
  // Each break is explained by the widths that its line just fits into. `changes` are the differences between widths.
  const changes = new Array<number>(maxWidth + 2).fill(0)
  for (const { width, widthWithNext } of breaks) {
    if (width > maxWidth) continue
    changes[width] = (changes[width] ?? 0) + 1
    const end = Math.min(widthWithNext, maxWidth + 1)
    changes[end] = (changes[end] ?? 0) - 1
  }
  let explained = 0
  let best = { width: 0, explained: 0 }
  for (const [width, change] of changes.entries()) {
    explained += change
    if (width >= minWidth && width <= maxWidth && explained > best.explained) best = { width, explained }
  }
  return best.explained > 1 && best.explained > breaks.length / 2 ? best.width : null
}

function join(before: string, after: string): string {
  const isTight = /\p{L}-$/u.test(before) || (isUnspacedAt(before, -1) && isUnspacedAt(after, 0))
  return isTight ? before + after : `${before} ${after}`
}

/** Joins lines of a paragraph or of a list item that break because the next word did not fit into the width. */
export function unwrapLines(lines: readonly string[], wrapWidth: number): string[] {
  const breaks = listBreaks(lines)
  const joined = lines.slice(0, 1)
  for (const [at, next] of lines.slice(1).entries()) {
    const before = joined.at(-1)
    const found = breaks[at]
    if (before !== undefined && found && found.widthWithNext > wrapWidth)
      joined[joined.length - 1] = join(before, next.trimStart())
    else joined.push(next)
  }
  return joined
}
