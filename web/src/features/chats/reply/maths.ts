import type { Span } from './spans.ts'

export interface Formula {
  tex: string
  isDisplay: boolean
  source: string
}

// Two Unicode noncharacters, which visible-text.ts removes from the message.
const open = '\uFDD0'
const close = '\uFDD1'
export const formulaMark = new RegExp(`${open}(\\d+)${close}`, 'g')
const encodedMark = /%EF%B7%90(\d+)%EF%B7%91/g

/**
 * Replaces formulas with placeholders, so that the Markdown parser does not interpret their underscores and
 * pipes.
 */
export function extractFormulas(text: string, spans: readonly Span[]): { text: string; formulas: Formula[] } {
  const formulas: Formula[] = []
  let rest = ''
  let at = 0
  for (const span of spans) {
    if (span.kind !== 'maths') continue
    rest += `${text.slice(at, span.start)}${open}${formulas.length}${close}`
    formulas.push({ tex: span.tex, isDisplay: span.isDisplay, source: text.slice(span.start, span.end) })
    at = span.end
  }
  return { text: rest + text.slice(at), formulas }
}

/** Restores the source of formulas, for text that turned out to be code or an address. */
export function restoreFormulas(text: string, formulas: Formula[]): string {
  function findSource(_: string, index: string) {
    return formulas[Number(index)]?.source ?? ''
  }
  return text
    .replace(formulaMark, findSource)
    .replace(encodedMark, (whole, index: string) => encodeURI(findSource(whole, index)))
}
