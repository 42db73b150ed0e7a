import {
  compareTestResults,
  excerptLength,
  type RetrievedPassage,
  searchDepth,
  type TestAnswer,
  type TestQuestion,
  type TestResult,
} from '@lyceum/contract/test-questions'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { createExtractiveReply } from '../answering/extractive.ts'
import type { DocumentTrial } from '../documents/indexing/document-trial.ts'
import { type FoundPassage, findPassages } from '../documents/retrieval/retrieval.ts'

function createExcerpt(text: string): string {
  const singleLine = text.replace(/\s+/g, ' ').trim()
  if (singleLine.length <= excerptLength) return singleLine
  const cut = singleLine.slice(0, excerptLength - 1).replace(/[\uD800-\uDBFF]$/, '')
  return `${cut.trimEnd()}…`
}

export function presentPassage(passage: FoundPassage): RetrievedPassage {
  return {
    documentId: passage.documentId,
    title: passage.title,
    page: passage.page,
    headingPath: passage.headingPath,
    excerpt: createExcerpt(passage.text),
    wordsRank: passage.wordsRank,
    meaningRank: passage.meaningRank,
    score: passage.score,
  }
}

interface Search {
  actor: Actor
  channelId: string
  trial?: DocumentTrial
}

/** Searches exactly as a reply to the first question of a chat does. */
export function searchPassages(
  deps: Deps,
  { actor, channelId, trial }: Search,
  question: string,
): Promise<FoundPassage[]> {
  return findPassages(deps, {
    channelId,
    question,
    limit: searchDepth,
    userId: actor.userId,
    ...(trial && { trial }),
  })
}

function answer(question: string, passages: readonly FoundPassage[], minMatch: number | null): TestAnswer {
  const { mode, parts } = createExtractiveReply({
    question,
    context: undefined,
    passages,
    hasDocuments: true,
    hasFiles: false,
    isStrict: false,
    minMatch,
  })
  const citations = parts.flatMap((part) => (part.type === 'citation' ? part.citation : []))
  const quotes = citations.map(({ documentId, title, quote }) => ({ documentId, title, text: quote }))
  return { isRefused: mode === 'refusal', quotes }
}

/** For comparing texts regardless of case, form of characters, and line breaks. */
function normalize(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ')
}

interface Outcome {
  passages: readonly FoundPassage[]
  /** The position of the first passage of an expected document; -1 if there is none. */
  first: number
  answer: TestAnswer
  missing: string[]
  unwanted: string[]
  isPassed: boolean
}

/** Finds out what a question finds and how it is answered, and whether it passes. */
export async function evaluateQuestion(
  deps: Deps,
  search: Search,
  test: TestQuestion,
  minMatch: number | null,
): Promise<Outcome> {
  const passages = await searchPassages(deps, search, test.question)
  const ids = new Set(test.expected.map(({ _id }) => _id))
  const first = passages.findIndex(({ documentId }) => ids.has(documentId))
  const given = answer(test.question, passages, minMatch)
  const text = normalize(given.quotes.map((quote) => quote.text).join('\n'))
  const missing = test.mustContain.filter((part) => !text.includes(normalize(part)))
  const unwanted = test.mustNotContain.filter((part) => text.includes(normalize(part)))
  const isPassed = test.isUnanswerable
    ? given.isRefused
    : first >= 0 && missing.length === 0 && unwanted.length === 0
  return { passages, first, answer: given, missing, unwanted, isPassed }
}

export function presentResult(
  { _id, updatedAt: _, ...test }: TestQuestion,
  { passages, first, ...outcome }: Outcome,
  earlier: TestResult | undefined,
): TestResult {
  const ids = new Set(test.expected.map((document) => document._id))
  return {
    questionId: _id,
    ...test,
    ...outcome,
    rank: first >= 0 ? first + 1 : null,
    change: compareTestResults({ ...test, isPassed: outcome.isPassed }, earlier),
    passages: passages.map((passage) => ({
      ...presentPassage(passage),
      isExpected: ids.has(passage.documentId),
    })),
  }
}
