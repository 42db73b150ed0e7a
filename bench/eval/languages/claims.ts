import { createEvidence, type EvidenceText } from '../../../server/src/features/answering/evidence.ts'
import { splitSentences } from '../../../server/src/features/answering/sentences.ts'

/** A passage that a model can cite. */
export interface ClaimSource extends EvidenceText {
  documentId: string
}

type ClaimKind = 'verbatim' | 'reworded' | 'joined' | 'with the question' | 'not in the sources'

/** A sentence as a model might write it, with the numbers of sources that it might cite for it. */
export interface Claim {
  kind: ClaimKind
  text: string
  /** The source that it was taken from; null if the model did not see it. */
  right: number | null
  /** Sources without its sentence: a neighbor in the same document, and the best one of another document. */
  neighbor: number | null
  other: number | null
}

/** A word with the spaces and marks after it. */
interface Word {
  text: string
  gap: string
}

const minWords = 8
const maxWords = 60
const claimsPerPassage = 3

/** Words by the dictionaries of the runtime, which do not depend on the analysis of the index. */
function splitWords(text: string, language: string): Word[] {
  const words: Word[] = []
  for (const { segment, isWordLike } of new Intl.Segmenter(language, { granularity: 'word' }).segment(text)) {
    const last = words.at(-1)
    if (isWordLike) words.push({ text: segment, gap: '' })
    else if (last) last.gap += segment
  }
  return words
}

function joinWords(words: readonly Word[]): string {
  return words.map(({ text, gap }) => text + gap).join('')
}

function keepLetters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
}

/** Finds another form of a word: the most common word of the manual that differs in its ending only. */
export function createFormFinder(
  texts: readonly string[],
  language: string,
): (word: string) => string | null {
  const counts = new Map<string, number>()
  for (const text of texts)
    for (const word of splitWords(text, language))
      if (/^\p{Ll}{4,}$/u.test(word.text)) counts.set(word.text, (counts.get(word.text) ?? 0) + 1)
  const byStart = Map.groupBy(counts.keys(), (word) => word.slice(0, 4))
  return (word) => {
    const start = word.slice(0, Math.max(4, word.length - 2))
    const forms = (byStart.get(word.slice(0, 4)) ?? []).filter(
      (form) => form !== word && form.startsWith(start) && form.length <= start.length + 3,
    )
    return (
      forms.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || (a < b ? -1 : 1))[0] ?? null
    )
  }
}

/** Leaves out every fifth word, changes the form of every third, and lets the second half come first. */
function rewordSentence(words: readonly Word[], findForm: (word: string) => string | null): string {
  const kept = words
    .filter((_, at) => at % 5 !== 3)
    .map((word, at) => (at % 3 === 1 ? { ...word, text: findForm(word.text) ?? word.text } : word))
  const middle = Math.ceil(kept.length / 2)
  return `${joinWords(kept.slice(middle)).replace(/[.!?。！？\s]+$/u, '')}, ${joinWords(kept.slice(0, middle)).trim()}`
}

/** Begins with the question, as models do, and says the first three fifths of the sentence. */
function answerQuestion(question: string, words: readonly Word[]): string {
  const said = joinWords(words.slice(0, Math.ceil(words.length * 0.6)))
  return `${question.replace(/[?？؟;。.\s]+$/u, '')}: ${said.trim()}`
}

function selectSentences(text: string, language: string): { text: string; words: Word[] }[] {
  return splitSentences(text)
    .map(({ start, end }) => ({
      text: text.slice(start, end),
      words: splitWords(text.slice(start, end), language),
    }))
    .filter(({ words }) => words.length >= minWords && words.length <= maxWords)
}

/** The number of the first source that does not contain the sentence. */
function findSource(
  sources: readonly ClaimSource[],
  sentence: string,
  fits: (source: ClaimSource) => boolean,
): number | null {
  const letters = keepLetters(sentence)
  const at = sources.findIndex(
    (source) => fits(source) && !keepLetters(`${source.title}${source.text}`).includes(letters),
  )
  return at < 0 ? null : at + 1
}

export interface ClaimOptions {
  question: string
  language: string
  findForm: (word: string) => string | null
  /** The text of a passage that is not among the sources. */
  unseen: string
}

/** Joins the first half of a sentence and the second half of the last one. */
function joinSentences(first: readonly Word[], last: readonly Word[]): string {
  return `${joinWords(first.slice(0, Math.ceil(first.length / 2))).trim()}, ${joinWords(last.slice(Math.ceil(last.length / 2)))}`
}

/**
 * Makes claims from the first sentences of a source. The first source is number 1. What they say is not checked: another
 * source may say the same in other words, so that a citation of it would be right.
 */
export function createClaims(
  sources: readonly ClaimSource[],
  right: number,
  { question, language, findForm, unseen }: ClaimOptions,
): Claim[] {
  const source = sources[right - 1]
  if (!source) return []
  const sentences = selectSentences(source.text, language)
  const last = sentences.at(-1)
  const claims = sentences.slice(0, claimsPerPassage).flatMap((sentence): Claim[] => {
    const { text, words } = sentence
    const cited = {
      right,
      neighbor: findSource(
        sources,
        text,
        (other) => other !== source && other.documentId === source.documentId,
      ),
      other: findSource(sources, text, ({ documentId }) => documentId !== source.documentId),
    }
    return [
      { kind: 'verbatim', text, ...cited },
      { kind: 'reworded', text: rewordSentence(words, findForm), ...cited },
      ...(last && last !== sentence
        ? [{ kind: 'joined' as const, text: joinSentences(words, last.words), ...cited }]
        : []),
      { kind: 'with the question', text: answerQuestion(question, words), ...cited },
    ]
  })
  const invented = selectSentences(unseen, language)
    .slice(0, claimsPerPassage)
    .map(
      ({ text, words }): Claim => ({
        kind: 'not in the sources',
        text: answerQuestion(question, words),
        right: null,
        neighbor: null,
        other: findSource(sources, text, () => true),
      }),
    )
  return [...claims, ...invented]
}

export interface ClaimShare {
  claims: number
  accepted: number
}

export interface ClaimScores {
  /** Citations of the source that the claim was taken from. */
  right: Record<Exclude<ClaimKind, 'not in the sources'>, ClaimShare>
  /** Citations of a source without the claim's sentence. */
  neighbor: ClaimShare
  other: ClaimShare
  /** Citations of the best source for a claim from a passage that is not among the sources. */
  unseen: ClaimShare
}

export function createClaimScores(): ClaimScores {
  function start(): ClaimShare {
    return { claims: 0, accepted: 0 }
  }
  return {
    right: { verbatim: start(), reworded: start(), joined: start(), 'with the question': start() },
    neighbor: start(),
    other: start(),
    unseen: start(),
  }
}

/** Counts which citations of the claims our checks accept. */
export function checkClaims(
  sources: readonly ClaimSource[],
  claims: readonly Claim[],
  scores: ClaimScores,
): void {
  const evidence = createEvidence(sources)
  function count(share: ClaimShare, text: string, number: number | null): void {
    if (number === null) return
    share.claims += 1
    share.accepted += evidence.findSupporting(text, [number]).length
  }
  for (const { kind, text, right, neighbor, other } of claims) {
    if (kind === 'not in the sources') {
      count(scores.unseen, text, other)
      continue
    }
    count(scores.right[kind], text, right)
    count(scores.neighbor, text, neighbor)
    count(scores.other, text, other)
  }
}
