import { ask, type Reply } from '../ask.ts'
import { createScriptedModel, type ScriptedModel, type Style } from '../scripted-model.ts'
import { type EvalServer, readText } from '../server.ts'

export interface CitationScore {
  style: Style
  channel: 'open' | 'strict'
  answers: number
  /** Citations in the model's text, and in the text that was shown. */
  written: number
  shown: number
  /** Shown citations that have no source or misquote it. Each breaks a guarantee. */
  invalid: number
  /** Shown citations whose source contains the exact claim before them. */
  supported: number
}

const styles: readonly Style[] = [
  'grounded',
  'wrong-source',
  'wrong-numbers',
  'alters-numbers',
  'invents-citations',
  'from-memory',
]

const citationMark = /\[(\d{1,3})\]/g
/** Code spans, in which brackets are not citations. */
const code = /(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g
function withoutCode(text: string): string {
  return text.replace(code, (span) => span.replace(/[[\]]/g, ' '))
}

export function findCitationNumbers(text: string): number[] {
  return [...withoutCode(text).matchAll(citationMark)].map((found) => Number(found[1]))
}

function keepLetters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

/** Possible claims before a citation: all sentences since the previous citation, or only the last ones. */
function findClaims(text: string): string[] {
  return [0, ...[...text.matchAll(/(?<=[.!?])\s+/g)].map(({ index }) => index)].map((from) =>
    keepLetters(text.slice(from)),
  )
}

const minLetters = 12

/** Counts citations whose source contains the claim. Our scripted models quote whole sentences or make them up. */
function countSupported(answer: string, model: ScriptedModel): number {
  const text = withoutCode(answer)
  let from = 0
  let supported = 0
  for (const found of text.matchAll(citationMark)) {
    const source = keepLetters(model.lastSources().get(Number(found[1])) ?? '')
    const claims = findClaims(text.slice(from, found.index)).filter(
      (claim, at) => claim !== '' && (at === 0 || claim.length >= minLetters),
    )
    if (claims.some((claim) => source.includes(claim))) supported += 1
    from = found.index + found[0].length
  }
  return supported
}

/** Counts citations whose number has no source, or whose quotation differs from the document. */
async function countInvalid(server: EvalServer, { text, citations }: Reply): Promise<number> {
  const valid = new Set<number>()
  for (const { n, documentId, charStart, charEnd, quote } of citations) {
    const document = await readText(server, documentId)
    if (quote !== '' && document.slice(charStart, charEnd) === quote) valid.add(n)
  }
  return findCitationNumbers(text).filter((n) => !valid.has(n)).length
}

/** Evaluates which citations our checks keep, for models that cite correctly or wrongly, or invent citations. */
export async function checkCitations(
  server: EvalServer,
  channelId: string,
  questions: readonly string[],
): Promise<CitationScore[]> {
  const scores: CitationScore[] = []
  for (const style of styles)
    for (const channel of ['open', 'strict'] as const) {
      const score = { style, channel, answers: 0, written: 0, shown: 0, invalid: 0, supported: 0 }
      for (const question of questions) {
        const model = createScriptedModel(style)
        const reply = await ask(server.app.deps, {
          channelId,
          question,
          isStrict: channel === 'strict',
          model,
        })
        // A model that alters numbers cannot be wrong in a text without numbers.
        if (style === 'alters-numbers' && !/\d/.test(model.lastText().replace(citationMark, ''))) continue
        score.answers += 1
        score.written += findCitationNumbers(model.lastText()).length
        score.shown += findCitationNumbers(reply.text).length
        score.invalid += await countInvalid(server, reply)
        score.supported += countSupported(reply.text, model)
      }
      scores.push(score)
    }
  return scores
}

/** Evaluates quotations made without a model. */
export async function checkQuotations(
  server: EvalServer,
  channelId: string,
  questions: readonly string[],
): Promise<{ answers: number; shown: number; invalid: number }> {
  const score = { answers: 0, shown: 0, invalid: 0 }
  for (const question of questions) {
    const reply = await ask(server.app.deps, { channelId, question })
    score.answers += 1
    score.shown += reply.citations.length
    score.invalid += await countInvalid(server, {
      ...reply,
      text: reply.citations.map(({ n }) => `[${n}]`).join(''),
    })
  }
  return score
}
