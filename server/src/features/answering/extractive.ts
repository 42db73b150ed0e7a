import type { ReplyMode } from '@lyceum/contract/chats'
import type { FoundPassage } from '../documents/retrieval/retrieval.ts'
import { citePassage } from './cite-passage.ts'
import type { StoredCitation } from './stored-citations.ts'
import { refusals } from './strict.ts'
import { analyse, countContentWords } from './terms.ts'

/** What no passage reaches is not shown: below this share of the question's words the closest one is far off. */
const coverNeeded = 0.3
const quotesShown = 3

const words = {
  intro:
    'No language model is configured. These are the closest passages in the approved documents of this channel:',
  unsure: 'I cannot tell whether this answers your question.',
  nothing:
    'No language model is configured, and nothing in the approved documents of this channel comes close to your question.',
  noDocuments:
    'No language model is configured, and this channel has no approved documents to quote from yet.',
} as const

type ExtractivePart = { type: 'text'; text: string } | { type: 'citation'; citation: StoredCitation }

export interface ExtractiveReply {
  mode: Extract<ReplyMode, 'extractive' | 'refusal'>
  parts: ExtractivePart[]
}

export interface ExtractiveInput {
  question: string
  /** An earlier question that a dependent one leans on. */
  context: string | undefined
  /** Closest first. */
  passages: readonly FoundPassage[]
  hasDocuments: boolean
  isStrict: boolean
}

/** Characters that would be read as markup, so that a quotation shows exactly what the document says. */
function literal(text: string): string {
  return (
    text
      .replace(/\\(?=[!-/:-@[-`{-~])|<(?=[a-z/!?])|[[\]]/gi, '\\$&')
      // One alone stands for itself: it takes two to mark something.
      .replace(/[`*_~$|]/g, (mark, _at: number, whole: string) =>
        whole.indexOf(mark) === whole.lastIndexOf(mark) ? mark : `\\${mark}`,
      )
      .replace(/^(\s*)(>|(?:#{1,6}|[+-])(?=\s))/gm, '$1\\$2')
  )
}

function quoteLines(quote: string, n: number): string {
  return `${literal(quote.trim())
    .split(/\n+/)
    .map((line) => `> ${line.trim()}`)
    .join('\n> \n')} [${n}]\n\n`
}

/** The text that two passages share counts once: overlapping ones, and one document uploaded twice. */
function isDistinct(passage: FoundPassage, shown: readonly FoundPassage[]): boolean {
  return shown.every(
    (other) =>
      passage.text !== other.text &&
      (passage.documentId !== other.documentId ||
        passage.charEnd <= other.charStart ||
        passage.charStart >= other.charEnd),
  )
}

function closest({ question, context, passages }: ExtractiveInput): FoundPassage[] {
  // 'And why?' has no words of its own to look for.
  const asked = countContentWords(question) > 0 ? question : (context ?? '')
  const shown: FoundPassage[] = []
  for (const passage of passages) {
    const { title, headingPath, text, cover } = passage
    const shares = analyse([title, ...headingPath, text].join('\n')).shares(asked)
    if (shares && cover >= coverNeeded && isDistinct(passage, shown)) shown.push(passage)
    if (shown.length === quotesShown) break
  }
  return shown
}

function refuse(text: string): ExtractiveReply {
  return { mode: 'refusal', parts: [{ type: 'text', text }] }
}

/** Answers without a model: quotes, word for word, what comes closest in the documents, and says that it is no more. */
export function extractiveReply(input: ExtractiveInput): ExtractiveReply {
  const { question, context, hasDocuments, isStrict } = input
  if (!hasDocuments) return refuse(isStrict ? refusals.noDocuments : words.noDocuments)
  const shown = closest(input)
  if (shown.length === 0) return refuse(isStrict ? refusals.notFound : words.nothing)
  const quotes = shown.flatMap((passage, at): ExtractivePart[] => {
    const citation = citePassage(at + 1, passage, question, context)
    return [
      { type: 'citation', citation },
      { type: 'text', text: quoteLines(citation.quote, citation.n) },
    ]
  })
  return {
    mode: 'extractive',
    parts: [
      { type: 'text', text: `${words.intro}\n\n` },
      ...quotes,
      ...(isStrict ? [{ type: 'text' as const, text: words.unsure }] : []),
    ],
  }
}
