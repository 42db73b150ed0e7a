import { externalModel, maxAnswerLength } from '#providers/assistant/model-calls.ts'
import { getReplyEnd } from '#providers/assistant/turns.ts'
import type { InterruptedAnswer } from './answer-parts.ts'
import type { SourcePassage } from './source-passage.ts'
import type { StoredCitation } from './stored-citations.ts'

interface InterruptedReply {
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
export function isContinuable(row: InterruptedReply): boolean {
  return (
    row.role === 'assistant' &&
    (row.state === 'interrupted' || row.state === 'stopped') &&
    row.mode === 'model' &&
    row.requested_model !== null &&
    row.requested_model !== externalModel &&
    row.content.trim() !== '' &&
    row.content.length < maxAnswerLength
  )
}

function containsCitation(
  passage: SourcePassage,
  { documentId, version, charStart, charEnd }: StoredCitation,
): boolean {
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
export function numberPassages(
  passages: readonly SourcePassage[],
  cited: readonly StoredCitation[],
): (SourcePassage | null)[] {
  const used = new Set(cited.map(({ n }) => n))
  const unassigned = [...cited]
  const slots: (SourcePassage | null)[] = []
  function assign(n: number, passage: SourcePassage): void {
    while (slots.length < n) slots.push(null)
    slots[n - 1] = passage
  }
  let next = 1
  for (const passage of passages) {
    const at = unassigned.findIndex((citation) => containsCitation(passage, citation))
    const [match] = at < 0 ? [] : unassigned.splice(at, 1)
    if (match) assign(match.n, passage)
    else {
      while (used.has(next)) next += 1
      assign(next, passage)
      next += 1
    }
  }
  return slots
}

/** A letter of a script that separates words with spaces. */
const letter =
  /^(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{M}]$/u
function isWord(char: string): boolean {
  return letter.test(char) || /^\p{N}$/u.test(char)
}

/** A repetition of this many characters is never accidental, wherever it begins. */
const minRepetition = 12
/** Minimum lengths of a repetition that begins at a word, without and with a space between the texts. */
const minRepetitionJoined = 3
const minRepetitionSpaced = 6

/** Adds the space that a model left out between two texts, where that can be determined. */
function joinWithSpace(before: string, text: string): string {
  const last = before.at(-1) ?? ' '
  const [next = ' '] = text
  const isNewWord = letter.test(last) && letter.test(next)
  const isNewSentence = /[.!?…:;,)\]”»]/.test(last) && (isWord(next) || /[([“«]/.test(next))
  const isNumber = /\p{N}[.,:]$/u.test(before) && /^\p{N}/u.test(text)
  return (isNewWord || isNewSentence) && !isNumber ? ` ${text}` : text
}

/**
 * Returns the lengths, longest first, of the beginnings of `start` with which `end` ends. Uses the algorithm of Knuth,
 * Morris and Pratt, because a comparison per length would take half a second for long rows of the same character.
 */
function findOverlaps(end: string, start: string): number[] {
  const pattern = start.slice(0, end.length)
  /** For each beginning of the pattern, the length of the longest shorter one with which it ends. */
  const shorter = [0]
  function extend(matched: number, char: string | undefined): number {
    let length = matched
    while (length > 0 && (length === pattern.length || pattern[length] !== char))
      length = shorter[length - 1] ?? 0
    return pattern[length] === char ? length + 1 : 0
  }
  for (let at = 1; at < pattern.length; at += 1) shorter.push(extend(shorter[at - 1] ?? 0, pattern[at]))
  let longest = 0
  for (let at = 0; at < end.length; at += 1) longest = extend(longest, end[at])
  const lengths: number[] = []
  for (let length = longest; length > 0; length = shorter[length - 1] ?? 0) lengths.push(length)
  return lengths
}

/** Removes the start of `text` if it repeats the end of `before`. */
function removeRepetition(before: string, text: string): string {
  const end = before.trimEnd()
  const start = text.trimStart()
  const isJoined = start.length === text.length && end.length === before.length
  function isRepeated(length: number): boolean {
    if (length >= minRepetition) return true
    const from = end.length - length
    const startsWord = !(isWord(end[from - 1] ?? ' ') && isWord(end[from] ?? ' '))
    return startsWord && (isJoined || (length >= minRepetitionSpaced && /\s/.test(end.slice(from))))
  }
  for (const length of findOverlaps(end, start)) {
    if (length < minRepetitionJoined || !isRepeated(length)) continue
    const rest = start.slice(length)
    return end.length < before.length ? rest.trimStart() : rest
  }
  return joinWithSpace(before, text)
}

/**
 * Joins a model's continuation to the earlier text. Text is held back while it may repeat the part of the
 * earlier text that the model was shown.
 */
export function createJoiner(before: string) {
  const end = getReplyEnd(before)
  let buffer = ''
  let isJoined = false
  /** Nothing but whitespace followed a repetition so far. */
  let isAtStart = false
  function join(): string {
    isJoined = true
    const text = buffer.trim() === '' ? buffer : removeRepetition(end, buffer)
    isAtStart = text === '' && /\s$/.test(end)
    return text
  }
  return {
    push(text: string): string {
      if (isAtStart) {
        isAtStart = text.trimStart() === ''
        return text.trimStart()
      }
      if (isJoined) return text
      buffer += text
      return end.includes(buffer.trimStart()) ? '' : join()
    },
    end: (): string => (isJoined ? '' : join()),
  }
}

async function* joinTexts(before: string, texts: AsyncIterable<string>): AsyncGenerator<string> {
  const joiner = createJoiner(before)
  for await (const text of texts) {
    const piece = joiner.push(text)
    if (piece !== '') yield piece
  }
  const rest = joiner.end()
  if (rest !== '') yield rest
}

/** Returns a model's text, joined to the earlier text if there is any. */
export function joinContinuation(
  interrupted: InterruptedAnswer | null,
  texts: AsyncIterable<string>,
): AsyncIterable<string> {
  return interrupted ? joinTexts(interrupted.text, texts) : texts
}
