import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { confirmation, id, idParams, isoTimestamp, singleLine } from './wire.ts'

/** Maximum number of test questions per channel. */
export const testQuestionMaximum = 200
export const expectedMaximum = 10
/** Number of runs kept per channel; older runs are deleted. */
export const testRunMaximum = 20
/** Number of passages that a search returns, the same as for a reply. */
export const searchDepth = 10
export const excerptLength = 300
export const questionMaxLength = 1000

/** Shown in place of the title of a deleted document. */
export const deletedDocument = '(deleted document)'

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters
const displayable = /^[^\u0000-\u001f\u007f]*$/

/** Line breaks in pasted text become spaces. */
const question = z.string().check(
  z.overwrite((text) => text.replace(/\s+/g, ' ').trim()),
  z.minLength(3, 'At least 3 characters'),
  z.maxLength(questionMaxLength, `At most ${questionMaxLength} characters`),
  z.regex(displayable, 'This contains characters that cannot be shown'),
)

const expectedDocument = z.object({ _id: id, title: z.string(), isDeleted: z.boolean() })
export type ExpectedDocument = z.output<typeof expectedDocument>

export const testQuestion = z.object({
  _id: id,
  question: z.string(),
  /** The question passes when the search finds one of these documents. */
  expected: z.array(expectedDocument),
  updatedAt: isoTimestamp,
})
export type TestQuestion = z.output<typeof testQuestion>

export const testQuestionInput = z.object({
  question,
  expectedDocumentIds: z
    .array(id)
    .check(
      z.minLength(1, 'Choose at least one document'),
      z.maxLength(expectedMaximum, `At most ${expectedMaximum} documents`),
    ),
})
export type TestQuestionInput = z.output<typeof testQuestionInput>

/** A retrieved passage with its ranks in the keyword and the embedding search. */
export const retrievedPassage = z.object({
  documentId: id,
  title: z.string(),
  page: z.nullable(z.number()),
  headingPath: z.array(z.string()),
  excerpt: z.string(),
  wordsRank: z.nullable(z.number()),
  meaningRank: z.nullable(z.number()),
  score: z.number(),
})
export type RetrievedPassage = z.output<typeof retrievedPassage>

export const testChange = z.enum(['gained', 'lost', 'same', 'new'])
export type TestChange = z.output<typeof testChange>

export const testResult = z.object({
  questionId: id,
  question: z.string(),
  expected: z.array(expectedDocument),
  isFound: z.boolean(),
  /** Rank of the first expected passage, starting at 1. */
  rank: z.nullable(z.number()),
  /** Compared with the previous run. */
  change: testChange,
  passages: z.array(z.object({ ...retrievedPassage.shape, isExpected: z.boolean() })),
})
export type TestResult = z.output<typeof testResult>

export const testRunSummary = z.object({
  _id: id,
  ranAt: isoTimestamp,
  note: z.string(),
  total: z.number(),
  found: z.number(),
  /** Mean rank of the questions that passed. */
  meanRank: z.nullable(z.number()),
})
export type TestRunSummary = z.output<typeof testRunSummary>

export const testRun = z.object({ ...testRunSummary.shape, results: z.array(testResult) })
export type TestRun = z.output<typeof testRun>

type QuestionOutcome = Pick<TestResult, 'question' | 'isFound'> & { expected: readonly { _id: string }[] }

function expectsSameDocuments(one: QuestionOutcome, other: QuestionOutcome): boolean {
  const ids = new Set(one.expected.map(({ _id }) => _id))
  return ids.size === other.expected.length && other.expected.every(({ _id }) => ids.has(_id))
}

/** Compares a result with an earlier run; 'new' when the question or its documents changed. */
export function compareTestResults(now: QuestionOutcome, earlier: QuestionOutcome | undefined): TestChange {
  if (!earlier || now.question !== earlier.question || !expectsSameDocuments(now, earlier)) return 'new'
  if (now.isFound === earlier.isFound) return 'same'
  return now.isFound ? 'gained' : 'lost'
}

const questionParams = z.object({ id, questionId: id })

export const testQuestionsApi = {
  list: endpoint({
    method: 'GET',
    path: '/channels/:id/questions',
    access: 'canManageDocuments',
    summary: 'List the test questions of a channel and its last runs, newest first',
    params: idParams,
    reply: z.object({ questions: z.array(testQuestion), runs: z.array(testRunSummary) }),
  }),
  add: endpoint({
    method: 'POST',
    path: '/channels/:id/questions',
    access: 'canManageDocuments',
    summary: 'Add a test question with the documents it should find',
    params: idParams,
    body: testQuestionInput,
    reply: testQuestion,
  }),
  run: endpoint({
    method: 'POST',
    path: '/channels/:id/questions/run',
    access: 'canManageDocuments',
    limit: 'history',
    summary: 'Run the search for all test questions and save the results',
    params: idParams,
    body: z.object({ note: z.optional(singleLine(200, 'A note cannot be blank')) }),
    reply: testRun,
  }),
  getRun: endpoint({
    method: 'GET',
    path: '/channels/:id/questions/runs/:runId',
    access: 'canManageDocuments',
    summary: 'Get the results of an earlier run',
    params: z.object({ id, runId: id }),
    reply: testRun,
  }),
  try: endpoint({
    method: 'POST',
    path: '/channels/:id/questions/try',
    access: 'canManageDocuments',
    limit: 'history',
    summary: 'Search for a question without saving it',
    params: idParams,
    body: z.object({ question }),
    reply: z.object({ passages: z.array(retrievedPassage) }),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/channels/:id/questions/:questionId',
    access: 'canManageDocuments',
    summary: 'Change a test question',
    params: questionParams,
    body: testQuestionInput,
    reply: testQuestion,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/channels/:id/questions/:questionId',
    access: 'canManageDocuments',
    summary: 'Delete a test question; earlier runs keep its results',
    params: questionParams,
    reply: confirmation,
  }),
} as const
