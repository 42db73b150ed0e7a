import { createEmbeddingAssistant } from '../../server/src/testing/fake-embedder.ts'
import { createChapterFile, readDistractors, readFaq } from './corpus.ts'
import { unrelated } from './questions.ts'
import {
  createIndexedChannel,
  type EvalServer,
  hashedEmbedder,
  listPassages,
  startEvalServer,
} from './server.ts'
import { type CitationScore, checkCitations, checkQuotations } from './sets/citations.ts'
import {
  createLibraryChannel,
  type FaqScores,
  locateGoldQuestions,
  rankFaq,
  rankFollowUps,
  rankTables,
} from './sets/faq.ts'
import { type InjectionScore, tryInjections } from './sets/injections.ts'
import { countLeaks, type LeakScore } from './sets/leaks.ts'
import { countRefusals, type RefusalScore } from './sets/refusals.ts'
import { measureSecondCheck, type SecondCheckScore } from './sets/second-check.ts'

export interface Results {
  corpus: { documents: number; passages: number; questions: number }
  faq: FaqScores
  tables: Awaited<ReturnType<typeof rankTables>>
  followUps: Awaited<ReturnType<typeof rankFollowUps>>
  faqAlone: { words: FaqScores; hashedVectors: FaqScores }
  refusals: RefusalScore[]
  citations: CitationScore[]
  secondCheck: SecondCheckScore[]
  quotations: Awaited<ReturnType<typeof checkQuotations>>
  injections: InjectionScore
  leaks: LeakScore
  /** One sentence for each broken guarantee. Guarantees apply whatever the model does. */
  broken: string[]
}

type Faq = ReturnType<typeof readFaq>

/** Removes the sections of every second FAQ question. Those become near misses; the others can still be answered. */
async function createHalfOfFaq(server: EvalServer, faq: Faq) {
  const questionSections = faq.flatMap(({ sections }) => sections.filter(({ question }) => question !== null))
  const removedNumbers = new Set(questionSections.filter((_, at) => at % 2 === 1).map(({ number }) => number))
  const { channelId } = await createIndexedChannel(
    server,
    faq.map((chapter) => createChapterFile(chapter, ({ number }) => !removedNumbers.has(number))),
  )
  const questions = questionSections.flatMap(({ number, question }) =>
    question && removedNumbers.has(number) ? [question] : [],
  )
  return { channelId, questions }
}

/** Evaluates the FAQ by words only, and with the stand-in's vectors in addition. */
async function compareVectors(server: EvalServer, faq: Faq): Promise<Results['faqAlone']> {
  const { deps } = server.app
  const withVectors = createEmbeddingAssistant(hashedEmbedder)
  const without = deps.assistant
  deps.assistant = withVectors
  const { channelId, documentIds } = await createIndexedChannel(
    server,
    faq.map((chapter) => createChapterFile(chapter)),
  )
  deps.assistant = without
  const gold = await locateGoldQuestions(server, faq, documentIds)
  const all = await listPassages(server, channelId)
  return {
    words: await rankFaq(deps, channelId, gold, all),
    hashedVectors: await rankFaq({ ...deps, assistant: withVectors }, channelId, gold, all),
  }
}

function describeBrokenGuarantees({
  citations,
  secondCheck,
  quotations,
  leaks,
}: Pick<Results, 'citations' | 'secondCheck' | 'quotations' | 'leaks'>): string[] {
  const leaked = Object.values(leaks.leaks).reduce((sum, count) => sum + count, 0)
  const invalid = citations.reduce((sum, score) => sum + score.invalid, quotations.invalid)
  const rejected = secondCheck.filter(({ judge }) => judge === 'rejects')
  const unconfirmed = rejected.reduce((sum, { shown }) => sum + shown, 0)
  return [
    ...(leaked > 0 ? [`${leaked} answers used documents that must not be used.`] : []),
    ...(invalid > 0 ? [`${invalid} citations are invalid.`] : []),
    ...(unconfirmed > 0 ? [`${unconfirmed} citations were shown that the second check rejected.`] : []),
    ...(leaks.controlsFound < leaks.controls
      ? ['An allowed answer was not found, so the search for leaks proves nothing.']
      : []),
  ]
}

function takeEvery<T>(step: number, all: readonly T[]): T[] {
  return all.filter((_, at) => at % step === 0)
}

/** Starts a server with these settings and runs every set against it. The same texts always give the same figures, except times. */
export async function evaluate(
  settings: Record<string, string>,
  logStep: (step: string) => void,
): Promise<Results> {
  const server = await startEvalServer(settings)
  try {
    const { deps } = server.app
    logStep('Looking for leaks …')
    const leaks = await countLeaks(server)
    const injections = await tryInjections(server)
    logStep('Indexing the texts …')
    const faq = readFaq()
    const library = await createLibraryChannel(server, faq, readDistractors())
    const { channelId, gold, passages } = library
    logStep('Searching …')
    const ranked = {
      faq: await rankFaq(deps, channelId, gold, passages),
      tables: await rankTables(deps, library),
      followUps: await rankFollowUps(deps, library),
    }
    const faqAlone = await compareVectors(server, faq)
    logStep('Asking answerable and unanswerable questions …')
    const questions = gold.map(({ question }) => question)
    const half = await createHalfOfFaq(server, faq)
    const refusals = await countRefusals(deps, {
      answerable: { channelId, questions: takeEvery(2, questions) },
      unrelated: { channelId, questions: unrelated },
      'near miss': half,
    })
    logStep('Checking citations …')
    const asked = takeEvery(3, questions)
    const checked = {
      citations: await checkCitations(server, channelId, asked),
      secondCheck: await measureSecondCheck(deps, channelId, asked),
      quotations: await checkQuotations(server, channelId, asked),
    }
    return {
      corpus: { documents: library.documentCount, passages: library.passageCount, questions: gold.length },
      ...ranked,
      faqAlone,
      refusals,
      ...checked,
      injections,
      leaks,
      broken: describeBrokenGuarantees({ ...checked, leaks }),
    }
  } finally {
    await server.app.close()
  }
}
