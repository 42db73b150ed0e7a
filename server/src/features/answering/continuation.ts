import { externalModel, longestAnswer } from '#providers/assistant/model-calls.ts'
import { endShown } from '#providers/assistant/turns.ts'
import type { FoundPassage } from '../documents/retrieval/retrieval.ts'
import type { Continued } from './answer-parts.ts'
import type { StoredCitation } from './stored-citations.ts'

interface BrokenReply {
  role: string
  state: string | null
  mode: string | null
  content: string
  requested_model: string | null
}

/**
 * Whether a model can continue an interrupted reply: a model wrote it, it has text, and the conversation is
 * stored here and not in a thread on another server.
 */
export function isContinuable(row: BrokenReply): boolean {
  return (
    row.role === 'assistant' &&
    (row.state === 'interrupted' || row.state === 'stopped') &&
    row.mode === 'model' &&
    row.requested_model !== null &&
    row.requested_model !== externalModel &&
    row.content.trim() !== '' &&
    row.content.length < longestAnswer
  )
}

function holds(passage: FoundPassage, { documentId, version, charStart, charEnd }: StoredCitation): boolean {
  return (
    passage.documentId === documentId &&
    passage.version === (version ?? 1) &&
    passage.charStart <= charStart &&
    passage.charEnd >= charEnd
  )
}

/**
 * Numbers passages for citation, from 1. A number that the reply has already used stays with its passage or
 * is not assigned again, so that repeating a search gives the same numbers.
 */
export function numbered(
  passages: readonly FoundPassage[],
  cited: readonly StoredCitation[],
): (FoundPassage | null)[] {
  const used = new Set(cited.map(({ n }) => n))
  const waiting = [...cited]
  const places: (FoundPassage | null)[] = []
  function place(n: number, passage: FoundPassage): void {
    while (places.length < n) places.push(null)
    places[n - 1] = passage
  }
  let next = 1
  for (const passage of passages) {
    const at = waiting.findIndex((citation) => holds(passage, citation))
    const [known] = at < 0 ? [] : waiting.splice(at, 1)
    if (known) place(known.n, passage)
    else {
      while (used.has(next)) next += 1
      place(next, passage)
      next += 1
    }
  }
  return places
}

/** A letter of a script that separates words with spaces. */
const letter =
  /^(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{M}]$/u
function isWord(char: string): boolean {
  return letter.test(char) || /^\p{N}$/u.test(char)
}

/** A repetition of this many characters is never accidental, wherever it begins. */
const surelyRepeated = 12
/** Minimum lengths of repetitions that begin at a word, if the texts join without and with a space. */
const leastRunOn = 3
const leastWords = 6

/** Adds the space that a model left out between two texts, as far as that can be determined. */
function glued(before: string, text: string): string {
  const last = before.at(-1) ?? ' '
  const [next = ' '] = text
  const isNewWord = letter.test(last) && letter.test(next)
  const isNewSentence = /[.!?…:;,)\]”»]/.test(last) && (isWord(next) || /[([“«]/.test(next))
  const isNumber = /\p{N}[.,:]$/u.test(before) && /^\p{N}/u.test(text)
  return (isNewWord || isNewSentence) && !isNumber ? ` ${text}` : text
}

/** Removes from the start of the text what repeats the end of the earlier one. */
function withoutRepeated(before: string, text: string): string {
  const end = before.trimEnd()
  const begun = text.trimStart()
  const runsOn = begun.length === text.length && end.length === before.length
  function isRepeated(length: number): boolean {
    if (!end.endsWith(begun.slice(0, length))) return false
    if (length >= surelyRepeated) return true
    const from = end.length - length
    const startsWord = !(isWord(end[from - 1] ?? ' ') && isWord(end[from] ?? ' '))
    return startsWord && (runsOn || (length >= leastWords && /\s/.test(end.slice(from))))
  }
  for (let length = Math.min(end.length, begun.length); length >= leastRunOn; length -= 1) {
    if (!isRepeated(length)) continue
    const rest = begun.slice(length)
    return end.length < before.length ? rest.trimStart() : rest
  }
  return glued(before, text)
}

/**
 * Joins a model's continuation to the earlier text. Text is held back while it may repeat the part of the
 * earlier text that the model was shown.
 */
export function createJoiner(before: string) {
  const end = endShown(before)
  let held = ''
  let isJoined = false
  function join(): string {
    isJoined = true
    return held.trim() === '' ? held : withoutRepeated(end, held)
  }
  return {
    push(text: string): string {
      if (isJoined) return text
      held += text
      return end.includes(held.trimStart()) ? '' : join()
    },
    end: (): string => (isJoined ? '' : join()),
  }
}

/** Passes a model's text on, joined to the earlier text if there is any. */
export async function* continuing(
  continued: Continued | null,
  texts: AsyncIterable<string>,
): AsyncGenerator<string> {
  if (!continued) {
    yield* texts
    return
  }
  const joiner = createJoiner(continued.text)
  for await (const text of texts) {
    const piece = joiner.push(text)
    if (piece !== '') yield piece
  }
  const rest = joiner.end()
  if (rest !== '') yield rest
}
