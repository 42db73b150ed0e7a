import {
  deletedDocument,
  type RetrievedPassage,
  type TestResult,
  type TestRun,
  type TestRunSummary,
  testRunMaximum,
} from '@lyceum/contract/test-questions'
import { uuidv7 } from 'uuidv7'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { requireLockedChannel } from '../channels/access.ts'
import { evaluateQuestion, presentPassage, presentResult, searchPassages } from './evaluate-question.ts'
import { type BestMatches, learnMinMatch } from './learn-limit.ts'
import {
  findChannelTitles,
  findLatestRun,
  findMinMatch,
  findRun,
  insertRun,
  listRuns,
  type RunRow,
  type RunSummaryRow,
  setMinMatch,
} from './test-bench-store.ts'
import { createLeaseKeeper, withTestLease } from './test-lease.ts'
import { auditLearnedLimit, listPresentedQuestions, requireDocumentsChannel } from './test-questions.ts'

function presentSummary(row: RunSummaryRow): TestRunSummary {
  return {
    _id: row.id,
    ranAt: new Date(row.ran_at).toISOString(),
    note: row.note,
    total: row.total,
    passed: row.found,
    meanRank: row.mean_rank,
  }
}

/** The fields that results of earlier versions lack. In those, a question passed when a document was found. */
type StoredResult = Partial<TestResult> & Pick<TestResult, 'rank'> & Omit<TestResult, keyof typeof added>

const added = {
  mustContain: [],
  mustNotContain: [],
  isUnanswerable: false,
  answer: null,
  missing: [],
  unwanted: [],
}

function parseResults(row: RunRow): TestResult[] {
  const stored = JSON.parse(row.results) as StoredResult[]
  return stored.map((result) => ({ ...added, ...result, isPassed: result.isPassed ?? result.rank !== null }))
}

function mapResultsByQuestion(row: RunRow | undefined): Map<string, TestResult> {
  return new Map(row ? parseResults(row).map((result) => [result.questionId, result]) : [])
}

interface Run {
  results: TestResult[]
  bestMatches: BestMatches
}

/** Runs the questions one after another, renewing the lease from time to time. */
async function runQuestions(deps: Deps, actor: Actor, lease: { id: string; owner: string }): Promise<Run> {
  const channelId = lease.id
  const questions = await listPresentedQuestions(deps, channelId)
  if (questions.length === 0) throw new AppError('test.no_questions')
  const previousResults = mapResultsByQuestion(await findLatestRun(deps.db, channelId))
  const minMatch = await findMinMatch(deps.db, channelId)
  const results: TestResult[] = []
  const bestMatches = { answerable: [] as number[], unanswerable: [] as number[] }
  const keepLease = createLeaseKeeper(deps, lease)
  for (const question of questions) {
    await keepLease()
    const outcome = await evaluateQuestion(deps, { actor, channelId }, question, minMatch)
    results.push(presentResult(question, outcome, previousResults.get(question._id)))
    const best = Math.max(0, ...outcome.passages.map(({ match }) => match))
    if (question.isUnanswerable) bestMatches.unanswerable.push(best)
    else if (outcome.first >= 0) bestMatches.answerable.push(best)
  }
  return { results, bestMatches }
}

function createRunRow(
  id: string,
  channelId: string,
  ranAt: number,
  note: string,
  results: TestResult[],
): RunRow {
  const ranks = results.flatMap(({ rank }) => rank ?? [])
  return {
    id,
    channel_id: channelId,
    ran_at: ranAt,
    note,
    total: results.length,
    found: results.filter(({ isPassed }) => isPassed).length,
    mean_rank: ranks.length === 0 ? null : ranks.reduce((sum, rank) => sum + rank, 0) / ranks.length,
    results: JSON.stringify(results),
  }
}

/**
 * Runs all of a channel's questions, and learns from them how well a passage must match. Only one run at a time, because
 * each is compared with the previous one.
 */
export async function runTestQuestions(
  deps: Deps,
  actor: Actor,
  channelId: string,
  note = '',
): Promise<TestRun> {
  await requireDocumentsChannel(deps.db, actor, channelId)
  const id = uuidv7()
  return withTestLease(deps, { id: channelId, owner: id }, async (lease) => {
    const { results, bestMatches } = await runQuestions(deps, actor, lease)
    const row = createRunRow(id, channelId, deps.now(), note, results)
    const minMatch = learnMinMatch(bestMatches)
    await deps.db.transaction().execute(async (tx) => {
      await requireLockedChannel(tx, channelId)
      await insertRun(tx, row, testRunMaximum)
      if (minMatch === (await findMinMatch(tx, channelId))) return
      await setMinMatch(tx, channelId, minMatch)
      await auditLearnedLimit(deps, tx, actor, channelId, minMatch)
    })
    return { ...presentSummary(row), results }
  })
}

export async function getTestBench(deps: Deps, actor: Actor, channelId: string) {
  await requireDocumentsChannel(deps.db, actor, channelId)
  const runs = await listRuns(deps.db, channelId, testRunMaximum)
  return {
    questions: await listPresentedQuestions(deps, channelId),
    runs: runs.map(presentSummary),
    minMatch: await findMinMatch(deps.db, channelId),
  }
}

/** Removes titles, headings and texts of documents that were deleted since. */
function hideDeleted(result: TestResult, titles: ReadonlyMap<string, string>): TestResult {
  const { expected, passages, answer } = result
  const deleted = { title: deletedDocument, isDeleted: true }
  return {
    ...result,
    expected: expected.map((document) => (titles.has(document._id) ? document : { ...document, ...deleted })),
    passages: passages.map((passage) =>
      titles.has(passage.documentId)
        ? passage
        : { ...passage, title: deletedDocument, headingPath: [], excerpt: '' },
    ),
    answer: answer && {
      ...answer,
      quotes: answer.quotes.map((quote) =>
        titles.has(quote.documentId) ? quote : { ...quote, title: deletedDocument, text: '' },
      ),
    },
  }
}

/** Returns a stored run without titles, headings and excerpts of documents that were deleted since. */
export async function getTestRun(
  deps: Deps,
  actor: Actor,
  channelId: string,
  runId: string,
): Promise<TestRun> {
  await requireDocumentsChannel(deps.db, actor, channelId)
  const row = await findRun(deps.db, channelId, runId)
  if (!row) throw notFound()
  const results = parseResults(row)
  const documentIds = results.flatMap(({ expected, passages, answer }) => [
    ...expected.map(({ _id }) => _id),
    ...passages.map(({ documentId }) => documentId),
    ...(answer?.quotes ?? []).map(({ documentId }) => documentId),
  ])
  const titles = await findChannelTitles(deps.db, channelId, new Set(documentIds))
  return { ...presentSummary(row), results: results.map((result) => hideDeleted(result, titles)) }
}

export async function tryQuestion(
  deps: Deps,
  actor: Actor,
  channelId: string,
  question: string,
): Promise<{ passages: RetrievedPassage[] }> {
  await requireDocumentsChannel(deps.db, actor, channelId)
  const passages = await searchPassages(deps, { actor, channelId }, question)
  return { passages: passages.map(presentPassage) }
}
