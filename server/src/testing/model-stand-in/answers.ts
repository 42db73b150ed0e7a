import type { AnswerStyle } from './behaviour.ts'
import { type Conversation, readConversation } from './conversation.ts'

const stopWords = new Set(
  'a an and are as at be by can do does for from has have how i if in is it its me my of on or our that the their there they this to was what when where which who why will with you your'.split(
    ' ',
  ),
)

export function words(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !stopWords.has(word))
}

interface Sentence {
  text: string
  source: number
  score: number
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?。！？])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
}

/** Sentences by how many different words of the question they share; a whole sentence beats a heading. */
function ranked({ sources, question }: Conversation): Sentence[] {
  const asked = new Set(words(question))
  const found: Sentence[] = []
  for (const [source, passage] of sources) {
    for (const text of sentencesOf(passage)) {
      const shared = new Set(words(text).filter((word) => asked.has(word))).size
      const whole = /[.!?。！？]["')\]]*$/.test(text)
      if (shared > 0) found.push({ text, source, score: shared + (whole ? 0.5 : 0) })
    }
  }
  return found.toSorted((a, b) => b.score - a.score)
}

function cite(sentence: string, source: number) {
  return /[.!?。！？]$/.test(sentence)
    ? `${sentence.slice(0, -1)} [${source}]${sentence.slice(-1)}`
    : `${sentence} [${source}].`
}

/** The word the instructions ask for when the sources hold no answer. */
function refusalToken(instructions: string) {
  return /\bNO_ANSWER\w*/.exec(instructions)?.[0]
}

function general({ question }: Conversation): string {
  const topic = words(question).slice(0, 6).join(' ')
  return topic === ''
    ? 'Hello. How can I help you today?'
    : `In general terms, here is what I can say about ${topic}.`
}

function grounded(conversation: Conversation, citedAs: (source: number) => number): string {
  const { sources, instructions } = conversation
  if (sources.size === 0) return general(conversation)
  const [best, second] = ranked(conversation)
  if (!best) return refusalToken(instructions) ?? 'The sources do not answer this question.'
  const chosen =
    second && second.score >= 0.75 * best.score && second.text !== best.text ? [best, second] : [best]
  return chosen.map(({ text, source }) => cite(text, citedAs(source))).join(' ')
}

/** Does what a passage orders, as a model without defences would. */
function obeyed(conversation: Conversation): string {
  const order =
    /(?:reply|answer|respond|say|print|output|write)(?:\s+only)?(?:\s+with)?\s*[:"'“]+\s*([^\n"”]+)/i
  for (const passage of conversation.sources.values()) {
    const demanded = order.exec(passage)?.[1]
    if (demanded) return demanded.trim()
  }
  return grounded(conversation, (source) => source)
}

function anotherSource(sources: ReadonlyMap<number, string>, source: number): number {
  return [...sources.keys()].find((other) => other !== source) ?? source
}

/** The rest of an answer, with the last words that are there already; anew when it was another one. */
function restOf(text: string, written: string): string {
  if (!text.startsWith(written.trimEnd())) return text
  const lastWords = /(?:\S+\s*){1,3}$/.exec(written.trimEnd())?.[0] ?? ''
  return `${lastWords}${text.slice(written.trimEnd().length)}`
}

/** The text a model of this character would answer with; the same request always gets the same text. */
export function answerText(style: AnswerStyle, body: Record<string, unknown>): string {
  const conversation = readConversation(body)
  const text = styled(style, conversation)
  return conversation.written === null ? text : restOf(text, conversation.written)
}

function styled(style: AnswerStyle, conversation: Conversation): string {
  switch (style) {
    case 'grounded':
      return grounded(conversation, (source) => source)
    case 'general':
      return general(conversation)
    case 'invents-citations':
      return 'The allowance is 4711 ducats a year [1]. It was agreed in Samarkand on 31 February 1987 [2].'
    case 'wrong-numbers':
      return grounded(conversation, (source) => source + conversation.sources.size + 40)
    case 'wrong-source':
      return grounded(conversation, (source) => anotherSource(conversation.sources, source))
    case 'obeys-injection':
      return obeyed(conversation)
    case 'no-answer':
      return refusalToken(conversation.instructions) ?? 'NO_ANSWER'
  }
}

/** Cut as a tokenizer would, roughly: a word with the space before it. */
export function piecesOf(text: string): string[] {
  return text.match(/\s*\S+\s*?(?=\s|$)|\s+/g) ?? []
}
