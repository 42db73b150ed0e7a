import { performance } from 'node:perf_hooks'
import type { Deps } from '../../../server/src/deps.ts'
import { selectSources } from '../../../server/src/features/answering/select-sources.ts'
import {
  type CorpusFile,
  createChapterFile,
  type FaqChapter,
  type FaqSection,
  referenceTitle,
} from '../corpus.ts'
import { mean, percentile, type Ranking, type RankScores, scoreRanks } from '../metrics.ts'
import { followUps, tableQuestions } from '../questions.ts'
import {
  createIndexedChannel,
  type EvalServer,
  findTopPassages,
  listPassages,
  readText,
  type TextRange,
} from '../server.ts'

export interface GoldQuestion extends TextRange {
  number: string
  question: string
}

function keepLetters(text: string): { text: string; offsets: number[] } {
  const offsets: number[] = []
  let kept = ''
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (!/[\p{L}\p{N}]/u.test(char)) continue
    kept += char
    offsets.push(at)
  }
  return { text: kept, offsets }
}

/** How many letters of a section's beginning and end must be found in the extracted text. */
const sampleLength = 60

/** Finds a section in its document by its letters and digits only, because extraction may have changed the spaces. */
function findSection(
  document: ReturnType<typeof keepLetters>,
  body: string,
  from: number,
): { start: number; end: number; next: number } {
  const { text } = keepLetters(body)
  const start = document.text.indexOf(text.slice(0, sampleLength), from)
  const tail = text.slice(-sampleLength)
  const end = document.text.indexOf(tail, Math.max(start, start + text.length - sampleLength - 200))
  if (start < 0 || end < 0) throw new Error(`a section was not found in its document: ${body.slice(0, 80)}`)
  const last = end + tail.length - 1
  return { start: document.offsets[start] ?? 0, end: (document.offsets[last] ?? 0) + 1, next: last + 1 }
}

function isBelow(number: string, parent: string): boolean {
  return number.startsWith(`${parent}.`)
}

/** The chapters' questions with the positions of their sections, including subsections without a question. */
export async function locateGoldQuestions(
  server: EvalServer,
  chapters: readonly FaqChapter[],
  documentIds: readonly string[],
  isKept: (section: FaqSection) => boolean = () => true,
): Promise<GoldQuestion[]> {
  const gold: GoldQuestion[] = []
  for (const [at, { sections }] of chapters.entries()) {
    const documentId = documentIds[at] ?? ''
    const document = keepLetters(await readText(server, documentId))
    let from = 0
    let current: GoldQuestion | null = null
    for (const section of sections.filter(({ body }) => body !== '').filter(isKept)) {
      const range = findSection(document, section.body, from)
      from = range.next
      if (section.question !== null) {
        current = {
          number: section.number,
          question: section.question,
          documentId,
          charStart: range.start,
          charEnd: range.end,
        }
        gold.push(current)
      } else if (current && isBelow(section.number, current.number)) current.charEnd = range.end
      else current = null
    }
  }
  return gold
}

const minOverlap = 150

/** Whether a passage contains enough of a section to count as gold. */
function containsGold(passage: TextRange, gold: TextRange): boolean {
  if (passage.documentId !== gold.documentId) return false
  const shared = Math.min(passage.charEnd, gold.charEnd) - Math.max(passage.charStart, gold.charStart)
  return shared >= Math.min(minOverlap, (gold.charEnd - gold.charStart) / 2)
}

/** How many passages the server finds for an answer. */
const answerCandidates = 10

function computeShownShare(passages: readonly TextRange[], gold: TextRange): number {
  const shownOffsets = new Set<number>()
  for (const { documentId, charStart, charEnd } of passages)
    if (documentId === gold.documentId)
      for (let at = Math.max(charStart, gold.charStart); at < Math.min(charEnd, gold.charEnd); at++)
        shownOffsets.add(at)
  return shownOffsets.size / (gold.charEnd - gold.charStart)
}

export interface FaqScores extends RankScores {
  /** The share of the gold section that a prompt would contain. */
  goldShown: number
  medianMs: number
  p95Ms: number
  notFound: string[]
}

export async function rankFaq(
  deps: Deps,
  channelId: string,
  gold: readonly GoldQuestion[],
  all: readonly TextRange[],
): Promise<FaqScores> {
  const rankings: Ranking[] = []
  const times: number[] = []
  const shares: number[] = []
  const notFound: string[] = []
  for (const question of gold) {
    const began = performance.now()
    const found = await findTopPassages(deps, channelId, question.question, 20)
    times.push(performance.now() - began)
    const isGold = found.map((passage) => containsGold(passage, question))
    if (!isGold.slice(0, 10).includes(true)) notFound.push(`${question.number} ${question.question}`)
    rankings.push({ isGold, goldPassages: all.filter((passage) => containsGold(passage, question)).length })
    const shown = await selectSources(deps, channelId, found.slice(0, answerCandidates))
    shares.push(computeShownShare(shown, question))
  }
  return {
    ...scoreRanks(rankings),
    goldShown: mean(shares),
    medianMs: percentile(times, 0.5),
    p95Ms: percentile(times, 0.95),
    notFound,
  }
}

export interface LibraryChannel {
  channelId: string
  documentCount: number
  passageCount: number
  gold: GoldQuestion[]
  passages: Awaited<ReturnType<typeof listPassages>>
  /** The document with the tables. */
  referenceId: string
}

/** Creates a channel with the FAQ, without its headings, and the other texts. */
export async function createLibraryChannel(
  server: EvalServer,
  chapters: readonly FaqChapter[],
  others: readonly CorpusFile[],
): Promise<LibraryChannel> {
  const faq = chapters.map((chapter) => createChapterFile(chapter))
  const { channelId, documentIds } = await createIndexedChannel(server, [...faq, ...others])
  const passages = await listPassages(server, channelId)
  const reference = others.findIndex(({ title }) => title === referenceTitle)
  return {
    channelId,
    documentCount: documentIds.length,
    passageCount: passages.length,
    gold: await locateGoldQuestions(server, chapters, documentIds),
    passages,
    referenceId: documentIds[faq.length + reference] ?? '',
  }
}

export async function rankTables(
  deps: Deps,
  { channelId, passages, referenceId }: LibraryChannel,
): Promise<RankScores & { rowsLost: number; notFound: string[] }> {
  const rankings: Ranking[] = []
  const notFound: string[] = []
  let rowsLost = 0
  for (const [question, row] of tableQuestions) {
    function isRow(passage: TextRange & { text: string }): boolean {
      return passage.documentId === referenceId && row.test(passage.text)
    }
    const goldPassages = passages.filter(isRow).length
    if (goldPassages === 0) rowsLost += 1
    const isGold = (await findTopPassages(deps, channelId, question, 20)).map(isRow)
    if (!isGold.slice(0, 10).includes(true))
      notFound.push(goldPassages === 0 ? `${question} (its row is in no passage)` : question)
    rankings.push({ isGold, goldPassages })
  }
  return { ...scoreRanks(rankings), rowsLost, notFound }
}

/** Evaluates follow-up questions alone, and with the text of the previous question. */
export async function rankFollowUps(
  deps: Deps,
  { channelId, gold, passages }: LibraryChannel,
): Promise<{ alone: RankScores; withContext: RankScores }> {
  async function rank(useContext: boolean): Promise<RankScores> {
    const rankings: Ranking[] = []
    for (const [previous, followUp, number] of followUps) {
      const goldQuestion = gold.find((question) => question.number === number)
      if (!goldQuestion) throw new Error(`the FAQ has no question ${number}`)
      const found = await findTopPassages(deps, channelId, followUp, 20, useContext ? previous : undefined)
      rankings.push({
        isGold: found.map((passage) => containsGold(passage, goldQuestion)),
        goldPassages: passages.filter((passage) => containsGold(passage, goldQuestion)).length,
      })
    }
    return scoreRanks(rankings)
  }
  return { alone: await rank(false), withContext: await rank(true) }
}
