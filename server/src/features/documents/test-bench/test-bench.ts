import {
  compareTestResults,
  deletedDocument,
  excerptLength,
  type RetrievedPassage,
  searchDepth,
  type TestQuestion,
  type TestResult,
  type TestRun,
  type TestRunSummary,
  testRunMaximum,
} from '@lyceum/contract/test-questions'
import { uuidv7 } from 'uuidv7'
import type { Actor } from '../../../actor.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, notFound } from '../../../errors.ts'
import { requireLockedChannel } from '../../channels/access.ts'
import { type FoundPassage, findPassages } from '../retrieval/retrieval.ts'
import {
  findChannelTitles,
  findLatestRun,
  findRun,
  insertRun,
  listRuns,
  type RunRow,
  type RunSummaryRow,
  testRunLeases,
} from './test-bench-store.ts'
import { listPresentedQuestions, requireDocumentsChannel } from './test-questions.ts'

function createExcerpt(text: string): string {
  const singleLine = text.replace(/\s+/g, ' ').trim()
  if (singleLine.length <= excerptLength) return singleLine
  const cut = singleLine.slice(0, excerptLength - 1).replace(/[\uD800-\uDBFF]$/, '')
  return `${cut.trimEnd()}…`
}

function presentPassage(passage: FoundPassage): RetrievedPassage {
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

/** Searches exactly as a reply to the first question of a chat does. */
async function searchPassages(
  deps: Deps,
  actor: Actor,
  channelId: string,
  question: string,
): Promise<RetrievedPassage[]> {
  const found = await findPassages(deps, { channelId, question, limit: searchDepth, userId: actor.userId })
  return found.map(presentPassage)
}

function evaluateQuestion(
  { _id, question, expected }: TestQuestion,
  found: readonly RetrievedPassage[],
  previousResults: ReadonlyMap<string, TestResult>,
): TestResult {
  const ids = new Set(expected.map((document) => document._id))
  const passages = found.map((passage) => ({ ...passage, isExpected: ids.has(passage.documentId) }))
  const first = passages.findIndex(({ isExpected }) => isExpected)
  const isFound = first >= 0
  return {
    questionId: _id,
    question,
    expected,
    isFound,
    rank: isFound ? first + 1 : null,
    change: compareTestResults({ question, expected, isFound }, previousResults.get(_id)),
    passages,
  }
}

function presentSummary(row: RunSummaryRow): TestRunSummary {
  return {
    _id: row.id,
    ranAt: new Date(row.ran_at).toISOString(),
    note: row.note,
    total: row.total,
    found: row.found,
    meanRank: row.mean_rank,
  }
}

function parseResults(row: RunRow): TestResult[] {
  return JSON.parse(row.results) as TestResult[]
}

function mapResultsByQuestion(row: RunRow | undefined): Map<string, TestResult> {
  return new Map(row ? parseResults(row).map((result) => [result.questionId, result]) : [])
}

/** Runs the questions one after another, renewing the lease from time to time. */
async function runQuestions(
  deps: Deps,
  actor: Actor,
  lease: { id: string; owner: string },
): Promise<TestResult[]> {
  const questions = await listPresentedQuestions(deps, lease.id)
  if (questions.length === 0) throw new AppError('test.no_questions')
  const previousResults = mapResultsByQuestion(await findLatestRun(deps.db, lease.id))
  const results: TestResult[] = []
  let renewAt = deps.now() + testRunLeases.duration / 3
  for (const question of questions) {
    const now = deps.now()
    if (now >= renewAt) {
      if (!(await testRunLeases.renew(deps.db, lease, now))) throw new AppError('test.running')
      renewAt = now + testRunLeases.duration / 3
    }
    results.push(
      evaluateQuestion(
        question,
        await searchPassages(deps, actor, lease.id, question.question),
        previousResults,
      ),
    )
  }
  return results
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
    found: ranks.length,
    mean_rank: ranks.length === 0 ? null : ranks.reduce((sum, rank) => sum + rank, 0) / ranks.length,
    results: JSON.stringify(results),
  }
}

/** Runs all of a channel's questions. Only one run at a time, because each is compared with the previous one. */
export async function runTestQuestions(
  deps: Deps,
  actor: Actor,
  channelId: string,
  note = '',
): Promise<TestRun> {
  await requireDocumentsChannel(deps.db, actor, channelId)
  const id = uuidv7()
  const lease = { id: channelId, owner: id }
  if (!(await testRunLeases.take(deps.db, lease, deps.now()))) throw new AppError('test.running')
  try {
    const results = await runQuestions(deps, actor, lease)
    const row = createRunRow(id, channelId, deps.now(), note, results)
    await deps.db.transaction().execute(async (tx) => {
      await requireLockedChannel(tx, channelId)
      await insertRun(tx, row, testRunMaximum)
    })
    return { ...presentSummary(row), results }
  } finally {
    await testRunLeases.release(deps.db, lease)
  }
}

export async function getTestBench(deps: Deps, actor: Actor, channelId: string) {
  await requireDocumentsChannel(deps.db, actor, channelId)
  const runs = await listRuns(deps.db, channelId, testRunMaximum)
  return { questions: await listPresentedQuestions(deps, channelId), runs: runs.map(presentSummary) }
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
  const documentIds = results.flatMap(({ expected, passages }) => [
    ...expected.map(({ _id }) => _id),
    ...passages.map(({ documentId }) => documentId),
  ])
  const titles = await findChannelTitles(deps.db, channelId, new Set(documentIds))
  const visibleResults = results.map((result) => ({
    ...result,
    expected: result.expected.map((document) =>
      titles.has(document._id) ? document : { ...document, title: deletedDocument, isDeleted: true },
    ),
    passages: result.passages.map((passage) =>
      titles.has(passage.documentId)
        ? passage
        : { ...passage, title: deletedDocument, headingPath: [], excerpt: '' },
    ),
  }))
  return { ...presentSummary(row), results: visibleResults }
}

export async function tryQuestion(
  deps: Deps,
  actor: Actor,
  channelId: string,
  question: string,
): Promise<{ passages: RetrievedPassage[] }> {
  await requireDocumentsChannel(deps.db, actor, channelId)
  return { passages: await searchPassages(deps, actor, channelId, question) }
}
