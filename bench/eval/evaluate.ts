import { chapterFile, readDistractors, readFaq } from './corpus.ts'
import { unrelated } from './questions.ts'
import { hashedEmbedder, listPassages, openChannel, openSubject, type Subject } from './server.ts'
import { type CitationScore, checkCitations, checkQuotations } from './sets/citations.ts'
import {
  type FaqScores,
  locateGoldQuestions,
  openLibrary,
  rankFaq,
  rankFollowUps,
  rankTables,
} from './sets/faq.ts'
import { type InjectionScore, tryInjections } from './sets/injections.ts'
import { countLeaks, type LeakScore } from './sets/leaks.ts'
import { countRefusals, type RefusalScore } from './sets/refusals.ts'

export interface Results {
  corpus: { documents: number; passages: number; questions: number }
  faq: FaqScores
  tables: Awaited<ReturnType<typeof rankTables>>
  followUps: Awaited<ReturnType<typeof rankFollowUps>>
  faqAlone: { words: FaqScores; hashedVectors: FaqScores }
  refusals: RefusalScore[]
  citations: CitationScore[]
  quotations: Awaited<ReturnType<typeof checkQuotations>>
  injections: InjectionScore
  leaks: LeakScore
  /** One sentence for each broken guarantee. Guarantees apply whatever the model does. */
  broken: string[]
}

type Faq = ReturnType<typeof readFaq>

/** Removes the section of every second question from the FAQ: these become near misses, the others stay answerable. */
async function openHalfOfFaq(subject: Subject, faq: Faq) {
  const asking = faq.flatMap(({ sections }) => sections.filter(({ question }) => question !== null))
  const gone = new Set(asking.filter((_, at) => at % 2 === 1).map(({ number }) => number))
  const { channelId } = await openChannel(
    subject,
    faq.map((chapter) => chapterFile(chapter, ({ number }) => !gone.has(number))),
  )
  const questions = asking.flatMap(({ number, question }) => (question && gone.has(number) ? [question] : []))
  return { channelId, questions }
}

/** Evaluates the FAQ by words only, and with the stand-in's vectors in addition. */
async function compareVectors(subject: Subject, faq: Faq): Promise<Results['faqAlone']> {
  const { deps } = subject.app
  const withVectors = { chat: null, embedder: hashedEmbedder, external: null }
  const without = deps.assistant
  deps.assistant = withVectors
  const { channelId, documentIds } = await openChannel(
    subject,
    faq.map((chapter) => chapterFile(chapter)),
  )
  deps.assistant = without
  const gold = await locateGoldQuestions(subject, faq, documentIds)
  const all = await listPassages(subject, channelId)
  return {
    words: await rankFaq(deps, channelId, gold, all),
    hashedVectors: await rankFaq({ ...deps, assistant: withVectors }, channelId, gold, all),
  }
}

function describeBrokenGuarantees({
  citations,
  quotations,
  leaks,
}: Pick<Results, 'citations' | 'quotations' | 'leaks'>): string[] {
  const leaked = Object.values(leaks.leaks).reduce((sum, count) => sum + count, 0)
  const invalid = citations.reduce((sum, score) => sum + score.invalid, quotations.invalid)
  return [
    ...(leaked > 0 ? [`${leaked} answers used documents that must not be used.`] : []),
    ...(invalid > 0 ? [`${invalid} citations are invalid.`] : []),
    ...(leaks.controlsFound < leaks.controls
      ? ['An allowed answer was not found, so the search for leaks proves nothing.']
      : []),
  ]
}

function takeEvery<T>(step: number, all: readonly T[]): T[] {
  return all.filter((_, at) => at % step === 0)
}

/** Runs every set against its own server. The same texts always give the same figures, except times. */
export async function evaluate(logStep: (step: string) => void): Promise<Results> {
  const subject = await openSubject()
  try {
    const { deps } = subject.app
    logStep('Looking for leaks …')
    const leaks = await countLeaks(subject)
    const injections = await tryInjections(subject)
    logStep('Indexing the texts …')
    const faq = readFaq()
    const library = await openLibrary(subject, faq, readDistractors())
    const { channelId, gold, all } = library
    logStep('Searching …')
    const ranked = {
      faq: await rankFaq(deps, channelId, gold, all),
      tables: await rankTables(deps, library),
      followUps: await rankFollowUps(deps, library),
    }
    const faqAlone = await compareVectors(subject, faq)
    logStep('Asking answerable and unanswerable questions …')
    const questions = gold.map(({ question }) => question)
    const half = await openHalfOfFaq(subject, faq)
    const refusals = await countRefusals(deps, {
      answerable: { channelId, questions: takeEvery(2, questions) },
      unrelated: { channelId, questions: unrelated },
      'near miss': half,
    })
    logStep('Checking citations …')
    const asked = takeEvery(3, questions)
    const checked = {
      citations: await checkCitations(subject, channelId, asked),
      quotations: await checkQuotations(subject, channelId, asked),
    }
    return {
      corpus: { documents: library.documents, passages: library.passages, questions: gold.length },
      ...ranked,
      faqAlone,
      refusals,
      ...checked,
      injections,
      leaks,
      broken: describeBrokenGuarantees({ ...checked, leaks }),
    }
  } finally {
    await subject.app.close()
  }
}
