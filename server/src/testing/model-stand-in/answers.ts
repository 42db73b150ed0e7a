import type { AnswerStyle, Behavior } from './behavior.ts'
import { type Conversation, readConversation, readMessages } from './conversation.ts'

const stopWords = new Set(
  'a an and are as at be by can do does for from has have how i if in is it its me my of on or our that the their there they this to was what when where which who why will with you your'.split(
    ' ',
  ),
)

export function splitWords(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !stopWords.has(word))
}

interface Sentence {
  text: string
  source: number
  score: number
}

function splitSentences(text: string): string[] {
  return text
    .split(/(?<=[.!?。！？])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
}

/** Ranks sentences by how many different words they share with the question. Full sentences beat headings. */
function rankSentences({ sources, question }: Conversation): Sentence[] {
  const asked = new Set(splitWords(question))
  const found: Sentence[] = []
  for (const [source, passage] of sources) {
    for (const text of splitSentences(passage)) {
      const shared = new Set(splitWords(text).filter((word) => asked.has(word))).size
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

/** The token that the instructions request when the sources do not contain the answer. */
function findRefusalToken(instructions: string) {
  return /\bNO_ANSWER\w*/.exec(instructions)?.[0]
}

function answerGenerally({ question }: Conversation): string {
  const topic = splitWords(question).slice(0, 6).join(' ')
  return topic === ''
    ? 'Hello. How can I help you today?'
    : `In general terms, here is what I can say about ${topic}.`
}

function answerFromSources(conversation: Conversation, citedAs: (source: number) => number): string {
  const { sources, instructions } = conversation
  if (sources.size === 0) return answerGenerally(conversation)
  const [best, second] = rankSentences(conversation)
  if (!best) return findRefusalToken(instructions) ?? 'The sources do not answer this question.'
  const chosen =
    second && second.score >= 0.75 * best.score && second.text !== best.text ? [best, second] : [best]
  return chosen.map(({ text, source }) => cite(text, citedAs(source))).join(' ')
}

/** Follows an instruction inside a passage, as a model without defenses would. */
function obeyInjection(conversation: Conversation): string {
  const order =
    /(?:reply|answer|respond|say|print|output|write)(?:\s+only)?(?:\s+with)?\s*[:"'“]+\s*([^\n"”]+)/i
  for (const passage of conversation.sources.values()) {
    const demanded = order.exec(passage)?.[1]
    if (demanded) return demanded.trim()
  }
  return answerFromSources(conversation, (source) => source)
}

function findOtherSource(sources: ReadonlyMap<number, string>, source: number): number {
  return [...sources.keys()].find((other) => other !== source) ?? source
}

/** Continues a partial answer, repeating its last words. Starts over if the partial answer was a different text. */
function continueText(text: string, written: string): string {
  if (!text.startsWith(written.trimEnd())) return text
  const lastWords = /(?:\S+\s*){1,3}$/.exec(written.trimEnd())?.[0] ?? ''
  return `${lastWords}${text.slice(written.trimEnd().length)}`
}

/** Creates the answer for a request in the given style. The same request always gets the same text. */
export function createAnswerText(style: AnswerStyle, body: Record<string, unknown>): string {
  const conversation = readConversation(body)
  const text = answerInStyle(style, conversation)
  return conversation.partialAnswer === null ? text : continueText(text, conversation.partialAnswer)
}

function answerInStyle(style: AnswerStyle, conversation: Conversation): string {
  switch (style) {
    case 'grounded':
      return answerFromSources(conversation, (source) => source)
    case 'general':
      return answerGenerally(conversation)
    case 'invents-citations':
      return 'The allowance is 4711 ducats a year [1]. It was agreed in Samarkand on 31 February 1987 [2].'
    case 'wrong-numbers':
      return answerFromSources(conversation, (source) => source + conversation.sources.size + 40)
    case 'wrong-source':
      return answerFromSources(conversation, (source) => findOtherSource(conversation.sources, source))
    case 'obeys-injection':
      return obeyInjection(conversation)
    case 'no-answer':
      return findRefusalToken(conversation.instructions) ?? 'NO_ANSWER'
  }
}

/** Splits roughly like a tokenizer: each word with the space before it. */
export function splitIntoPieces(text: string): string[] {
  return text.match(/\s*\S+\s*?(?=\s|$)|\s+/g) ?? []
}

/** Whether a request asks for the title of a chat. */
export function isTitleRequest(body: Record<string, unknown>): boolean {
  return readConversation(body).instructions.startsWith('Write a title')
}

export function createTitle(body: Record<string, unknown>): string {
  return `About ${splitWords(readConversation(body).question).slice(0, 4).join(' ')}`
}

/** Whether a request asks if sources support sentences. */
export function isCheckRequest(body: Record<string, unknown>): boolean {
  return readConversation(body).instructions.startsWith('Check citations')
}

/** The sentences that a check asks about, each with the numbers of its sources. */
export function readCheckedSentences(body: Record<string, unknown>): { sources: string; sentence: string }[] {
  const text = readMessages(body).at(-1)?.content ?? ''
  const items = text.matchAll(/^\d+\. Sources: (.*)(?:\nText before: .*)?\nSentence: (.*)$/gm)
  return [...items].map(([, sources = '', sentence = '']) => ({ sources, sentence }))
}

/** One verdict for each sentence. A model that follows instructions in the sources writes what they demand. */
export function createVerdicts(body: Record<string, unknown>, { answer, rejects }: Behavior): string {
  if (answer === 'obeys-injection') return obeyInjection(readConversation(body))
  return readCheckedSentences(body)
    .map(({ sentence }, at) => {
      const isRejected = rejects !== undefined && sentence.includes(rejects)
      return `${at + 1}: ${isRejected ? 'no' : 'yes'}`
    })
    .join('\n')
}
