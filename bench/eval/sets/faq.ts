import { performance } from 'node:perf_hooks'
import type { Deps } from '../../../server/src/deps.ts'
import { type CorpusFile, chapterFile, type FaqChapter, type FaqSection, referenceTitle } from '../corpus.ts'
import { mean, percentile, type Ranking, type RankScores, scoreRanks } from '../metrics.ts'
import { followUps, tableQuestions } from '../questions.ts'
import {
  findTopPassages,
  listPassages,
  openChannel,
  readText,
  type Subject,
  type TextRange,
} from '../server.ts'

export interface GoldQuestion extends TextRange {
  number: string
  question: string
}

function keepLetters(text: string): { text: string; places: number[] } {
  const places: number[] = []
  let kept = ''
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (!/[\p{L}\p{N}]/u.test(char)) continue
    kept += char
    places.push(at)
  }
  return { text: kept, places }
}

/** How many letters of a section's beginning and end must be found in the extracted text. */
const sampleLength = 60

/** Finds a section in its document by its letters only, because extraction may have changed the spaces. */
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
  return { start: document.places[start] ?? 0, end: (document.places[last] ?? 0) + 1, next: last + 1 }
}

function isBelow(number: string, parent: string): boolean {
  return number.startsWith(`${parent}.`)
}

/** The chapters' questions with the positions of their sections, including subsections without a question. */
export async function locateGoldQuestions(
  subject: Subject,
  chapters: readonly FaqChapter[],
  documentIds: readonly string[],
  isKept: (section: FaqSection) => boolean = () => true,
): Promise<GoldQuestion[]> {
  const gold: GoldQuestion[] = []
  for (const [at, { sections }] of chapters.entries()) {
    const documentId = documentIds[at] ?? ''
    const document = keepLetters(await readText(subject, documentId))
    let from = 0
    let open: GoldQuestion | null = null
    for (const section of sections.filter(({ body }) => body !== '').filter(isKept)) {
      const place = findSection(document, section.body, from)
      from = place.next
      if (section.question !== null) {
        open = {
          number: section.number,
          question: section.question,
          documentId,
          charStart: place.start,
          charEnd: place.end,
        }
        gold.push(open)
      } else if (open && isBelow(section.number, open.number)) open.charEnd = place.end
      else open = null
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

/** The passages that a prompt would contain. */
const promptPassages = 8

function computeShownShare(passages: readonly TextRange[], gold: TextRange): number {
  const held = new Set<number>()
  for (const { documentId, charStart, charEnd } of passages)
    if (documentId === gold.documentId)
      for (let at = Math.max(charStart, gold.charStart); at < Math.min(charEnd, gold.charEnd); at++)
        held.add(at)
  return held.size / (gold.charEnd - gold.charStart)
}

export interface FaqScores extends RankScores {
  /** The share of the gold section that a prompt of eight passages would contain. */
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
    shares.push(computeShownShare(found.slice(0, promptPassages), question))
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
  documents: number
  passages: number
  gold: GoldQuestion[]
  all: Awaited<ReturnType<typeof listPassages>>
  /** The document with the tables. */
  referenceId: string
}

/** Evaluates the FAQ without its headings, among the other texts. */
export async function openLibrary(
  subject: Subject,
  chapters: readonly FaqChapter[],
  others: readonly CorpusFile[],
): Promise<LibraryChannel> {
  const faq = chapters.map((chapter) => chapterFile(chapter))
  const { channelId, documentIds } = await openChannel(subject, [...faq, ...others])
  const all = await listPassages(subject, channelId)
  const reference = others.findIndex(({ title }) => title === referenceTitle)
  return {
    channelId,
    documents: documentIds.length,
    passages: all.length,
    gold: await locateGoldQuestions(subject, chapters, documentIds),
    all,
    referenceId: documentIds[faq.length + reference] ?? '',
  }
}

export async function rankTables(
  deps: Deps,
  { channelId, all, referenceId }: LibraryChannel,
): Promise<RankScores & { rowsLost: number; notFound: string[] }> {
  const rankings: Ranking[] = []
  const notFound: string[] = []
  let rowsLost = 0
  for (const [question, row] of tableQuestions) {
    function isRow(passage: TextRange & { text: string }): boolean {
      return passage.documentId === referenceId && row.test(passage.text)
    }
    const goldPassages = all.filter(isRow).length
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
  { channelId, gold, all }: LibraryChannel,
): Promise<{ alone: RankScores; withContext: RankScores }> {
  async function rank(useContext: boolean): Promise<RankScores> {
    const rankings: Ranking[] = []
    for (const [first, then, number] of followUps) {
      const place = gold.find((question) => question.number === number)
      if (!place) throw new Error(`the FAQ has no question ${number}`)
      const found = await findTopPassages(deps, channelId, then, 20, useContext ? first : undefined)
      rankings.push({
        isGold: found.map((passage) => containsGold(passage, place)),
        goldPassages: all.filter((passage) => containsGold(passage, place)).length,
      })
    }
    return scoreRanks(rankings)
  }
  return { alone: await rank(false), withContext: await rank(true) }
}
