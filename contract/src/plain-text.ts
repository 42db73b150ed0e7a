import { stripInvisible } from './invisible-text.ts'

/** Bounds the work for a long message. A preview or a title needs only its beginning. */
const maxReadLength = 2000

const symbols: Readonly<Record<string, string>> = {
  times: '×',
  cdot: '·',
  div: '÷',
  pm: '±',
  approx: '≈',
  ne: '≠',
  neq: '≠',
  le: '≤',
  leq: '≤',
  ge: '≥',
  geq: '≥',
  to: '→',
  rightarrow: '→',
  Rightarrow: '⇒',
  infty: '∞',
  sqrt: '√',
  sum: '∑',
  int: '∫',
  partial: '∂',
  degree: '°',
  circ: '°',
  alpha: 'α',
  beta: 'β',
  gamma: 'γ',
  delta: 'δ',
  Delta: 'Δ',
  lambda: 'λ',
  mu: 'μ',
  pi: 'π',
  sigma: 'σ',
  theta: 'θ',
  omega: 'ω',
  Omega: 'Ω',
}
const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** A formula as one would type it without TeX. Commands that have no such form are left out. */
function toPlainFormula(tex: string): string {
  return tex
    .replace(/\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}/g, '$1/$2')
    .replace(/\\(?:left|right|big|Big|displaystyle|quad|qquad)(?![A-Za-z])|\\[,;:!]/g, ' ')
    .replace(/\\([A-Za-z]+)/g, (_, command: string) => symbols[command] ?? '')
    .replace(/\^\{?([0-9]+)\}?/g, (_, digits: string) =>
      digits.replace(/[0-9]/g, (digit) => superscripts[Number(digit)] ?? digit),
    )
    .replace(/\\([%$#&_])/g, '$1')
    .replace(/[\\{}^_]|(?<!\\)&/g, '')
}

// A dollar sign before a space or after one, or before a digit, is a price and not a formula.
const formulas =
  /\$\$([^$]+)(?:\$\$|$)|\\\[((?:(?!\\\]).)+)(?:\\\]|$)|\\\(((?:(?!\\\)).)+)(?:\\\)|$)|(?<![\\\w$])\$(?=[^\s$])([^$\n]*[^\s$\\])\$(?![\d$])/gs

/** Markers at the beginnings of lines: quotations, headings, list items, tasks, fences, rules and tables. */
const lineMarkers =
  /^[ \t]*(?:>[ \t]?)*(?:#{1,6}[ \t]+|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|(?:`{3,}|~{3,})[^\n`]*$|[ \t:|-]*-{3}[ \t:|-]*$)?/gm
const tableRow = /^[ \t]*\|.*$/gm
const emphasis =
  /(?<![\p{L}\p{N}_])(?:__?)(?=[^\s_])([^_\n]*[^\s_])__?(?![\p{L}\p{N}_])|(?<![*\d])\*{1,3}(?=[^\s*])([^*\n]*[^\s*])\*{1,3}(?!\*)|~~(?=\S)([^~\n]*\S)~~/gu
const unclosedBold = /(?<![\p{L}\p{N}*])\*\*(?=[^\s*])|`+/gu

/** A backslash before punctuation makes it plain text. */
const escapes = /\\([!-/:-@[-`{-~])/g
/** Escaped characters are moved to a private range while the markers are removed. */
const escapeOffset = 0xf0000
const escapedCharacters = /[\u{F0021}-\u{F007E}]/gu

/** The citation marks of a reply, such as [1] after a word. */
const citationMarks = /(?<=[^\s([])[ \t]*(?:\[\d{1,2}\])+(?![[(\w])/g

/** The beginning of a message as a single line without Markdown, TeX and characters that hide or reverse text. */
export function toPlainText(markdown: string): string {
  return stripInvisible(markdown.slice(0, maxReadLength).toWellFormed().replaceAll('\uFFFD', ''))
    .replace(lineMarkers, '')
    .replace(tableRow, (row) => row.replace(/(?<!\\)\|/g, ' '))
    .replace(formulas, (_, ...tex: (string | undefined)[]) =>
      toPlainFormula(tex.slice(0, 4).find((part) => part !== undefined) ?? ''),
    )
    .replace(escapes, (_, character: string) => String.fromCodePoint(escapeOffset + character.charCodeAt(0)))
    .replace(/!?\[([^\]\n]*)\]\([^)\s]*\)/g, '$1')
    .replace(emphasis, (_, ...inner: (string | undefined)[]) => inner.slice(0, 3).join(''))
    .replace(unclosedBold, '')
    .replace(escapedCharacters, (character) =>
      String.fromCodePoint((character.codePointAt(0) ?? 0) - escapeOffset),
    )
    .replace(/\s+/g, ' ')
    .trim()
}

/** The Markdown of a reply without the marks that refer to its sources, for places where these cannot be opened. */
export function removeCitationMarks(markdown: string): string {
  return markdown.replace(citationMarks, '')
}

/** Without the marks that refer to a reply's sources. */
export function toPlainReply(markdown: string): string {
  return toPlainText(removeCitationMarks(markdown.slice(0, 2 * maxReadLength)))
}
