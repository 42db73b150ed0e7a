import type { Span } from './spans.ts'

export interface Formula {
  tex: string
  isDisplay: boolean
  source: string
}

// Two characters that Unicode promises never to assign; visible-text.ts has removed them from the message.
const open = '\uFDD0'
const close = '\uFDD1'
export const formulaMark = new RegExp(`${open}(\\d+)${close}`, 'g')
const encodedMark = /%EF%B7%90(\d+)%EF%B7%91/g

/**
 * Takes the formulas out of a text and leaves a mark where each stood, so that the Markdown parser neither eats
 * their underscores and pipes nor has to know what a formula is.
 */
export function takeMaths(text: string, spans: readonly Span[]): { text: string; formulas: Formula[] } {
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

/** Puts formulas back as they were written, for places where Markdown turned out to mean code or an address. */
export function putMathsBack(text: string, formulas: Formula[]): string {
  function source(_: string, index: string) {
    return formulas[Number(index)]?.source ?? ''
  }
  return text
    .replace(formulaMark, source)
    .replace(encodedMark, (whole, index: string) => encodeURI(source(whole, index)))
}
