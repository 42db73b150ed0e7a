import type { ReplyMode } from '@lyceum/contract/chats'
import { citePassage } from './cite-passage.ts'
import { createWordRarity } from './quotation.ts'
import type { MatchedPassage, SourcePassage } from './source-passage.ts'
import type { StoredCitation } from './stored-citations.ts'
import { getRefusal } from './strict.ts'
import { analyzeText, countContentWords } from './terms.ts'

/** A passage that matches the question less is never shown, even if it is the closest. */
const usualMinMatch = 0.23
/** Where words are found by their syllables or letter pairs, which many other words have, too. */
const minMatchOfParts = 0.3
const hasParts = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ơưạ-ỹ]/iu
const maxQuotes = 3

const texts = {
  intro: 'These are the closest passages in this channel’s documents:',
  introFiles: 'These are the closest passages in your files:',
  introWithFiles: 'These are the closest passages in your files and in this channel’s documents:',
  unsure: 'These passages may not fully answer your question.',
} as const

type ExtractivePart = { type: 'text'; text: string } | { type: 'citation'; citation: StoredCitation }

export interface ExtractiveReply {
  mode: Extract<ReplyMode, 'extractive' | 'refusal'>
  parts: ExtractivePart[]
}

export interface ExtractiveInput {
  question: string
  /** The earlier question that a dependent one refers to. */
  context: string | undefined
  /** Closest first. */
  passages: readonly MatchedPassage[]
  hasDocuments: boolean
  /** Whether files are attached to the chat. */
  hasFiles: boolean
  isStrict: boolean
  /** What the channel has learned from its test questions. Null applies the usual limit. */
  minMatch: number | null
}

/** Escapes markup characters, so that a quotation shows exactly what the document says. */
function escapeMarkdown(text: string): string {
  return (
    text
      .replace(/\\(?=[!-/:-@[-`{-~])|<(?=[a-z/!?])|[[\]]/gi, '\\$&')
      // A single mark is literal: markup needs a pair.
      .replace(/[`*_~$|]/g, (mark, _at: number, whole: string) =>
        whole.indexOf(mark) === whole.lastIndexOf(mark) ? mark : `\\${mark}`,
      )
      .replace(/^(\s*)(>|(?:#{1,6}|[+-])(?=\s))/gm, '$1\\$2')
  )
}

function formatQuote(quote: string, n: number): string {
  return `${escapeMarkdown(quote.trim())
    .split(/\n+/)
    .map((line) => `> ${line.trim()}`)
    .join('\n> \n')} [${n}]\n\n`
}

/** False for passages that overlap one already shown, or repeat its text from another document. */
function isDistinct(passage: SourcePassage, shown: readonly SourcePassage[]): boolean {
  return shown.every(
    (other) =>
      passage.text !== other.text &&
      (passage.documentId !== other.documentId ||
        passage.charEnd <= other.charStart ||
        passage.charStart >= other.charEnd),
  )
}

function selectClosest({ question, context, passages, minMatch }: ExtractiveInput): SourcePassage[] {
  // A question such as 'And why?' has no content words to search for.
  const effectiveQuestion = countContentWords(question) > 0 ? question : (context ?? '')
  const needed = minMatch ?? (hasParts.test(question) ? minMatchOfParts : usualMinMatch)
  const shown: SourcePassage[] = []
  for (const passage of passages) {
    const { title, headingPath, text, match } = passage
    const sharesTerm = analyzeText([title, ...headingPath, text].join('\n')).sharesTermWith(effectiveQuestion)
    if (sharesTerm && match >= needed && isDistinct(passage, shown)) shown.push(passage)
    if (shown.length === maxQuotes) break
  }
  return shown
}

function getIntro(shown: readonly SourcePassage[], hasDocuments: boolean): string {
  if (!shown.some(({ isAttachment }) => isAttachment)) return texts.intro
  return hasDocuments ? texts.introWithFiles : texts.introFiles
}

/** Answers without a model: quotes the closest passages word for word and says what they are. */
export function createExtractiveReply(input: ExtractiveInput): ExtractiveReply {
  const { question, context, hasDocuments, hasFiles, isStrict } = input
  const shown = hasDocuments || hasFiles ? selectClosest(input) : []
  if (shown.length === 0) return { mode: 'refusal', parts: [{ type: 'text', text: getRefusal(input) }] }
  const weigh = createWordRarity(input.passages.map(({ text }) => text))
  const quotes = shown.flatMap((passage, at): ExtractivePart[] => {
    const citation = citePassage(at + 1, passage, { wording: question, context, weigh })
    return [
      { type: 'citation', citation },
      { type: 'text', text: formatQuote(citation.quote, citation.n) },
    ]
  })
  return {
    mode: 'extractive',
    parts: [
      {
        type: 'text',
        text: `${getIntro(shown, hasDocuments)}\n\n`,
      },
      ...quotes,
      ...(isStrict ? [{ type: 'text' as const, text: texts.unsure }] : []),
    ],
  }
}
