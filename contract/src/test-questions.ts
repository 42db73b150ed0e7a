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
/** Maximum number of texts that an answer must contain, and of those that it must not. */
export const answerTextMaximum = 5
export const answerTextMaxLength = 200
/** A run learns a channel's limit from at least this many questions of each kind: with an answer, and without one. */
export const learningMinimum = 5

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

const answerTexts = z
  .array(
    z.string().check(
      z.overwrite((text) => text.replace(/\s+/g, ' ').trim()),
      z.minLength(1, 'Write a text, or remove it'),
      z.maxLength(answerTextMaxLength, `At most ${answerTextMaxLength} characters`),
      z.regex(displayable, 'This contains characters that cannot be shown'),
    ),
  )
  .check(z.maxLength(answerTextMaximum, `At most ${answerTextMaximum} texts`))

const expectedDocument = z.object({ _id: id, title: z.string(), isDeleted: z.boolean() })
export type ExpectedDocument = z.output<typeof expectedDocument>

const expectations = {
  /** The search should find one of these documents. */
  expected: z.array(expectedDocument),
  /** Texts that the answer must contain, in any case. */
  mustContain: z.array(z.string()),
  mustNotContain: z.array(z.string()),
  /** Whether the documents do not answer the question, so that it should be refused. Then nothing else is expected. */
  isUnanswerable: z.boolean(),
}

export const testQuestion = z.object({
  _id: id,
  question: z.string(),
  ...expectations,
  updatedAt: isoTimestamp,
})
export type TestQuestion = z.output<typeof testQuestion>

export const testQuestionInput = z
  .object({
    question,
    expectedDocumentIds: z
      .array(id)
      .check(z.maxLength(expectedMaximum, `At most ${expectedMaximum} documents`)),
    mustContain: z.optional(answerTexts),
    mustNotContain: z.optional(answerTexts),
    isUnanswerable: z.optional(z.boolean()),
  })
  .check(
    z.refine(({ expectedDocumentIds, isUnanswerable }) => isUnanswerable || expectedDocumentIds.length > 0, {
      error: 'Choose at least one document',
      path: ['expectedDocumentIds'],
    }),
    z.refine(
      ({ isUnanswerable, expectedDocumentIds, mustContain = [], mustNotContain = [] }) =>
        !isUnanswerable || expectedDocumentIds.length + mustContain.length + mustNotContain.length === 0,
      {
        error: 'A question that no document answers has no expected documents or texts',
        path: ['isUnanswerable'],
      },
    ),
  )
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

/** What a channel without a model would reply. With a model, the reply is based on the same passages. */
export const testAnswer = z.object({
  isRefused: z.boolean(),
  /** The text is empty once the document has been deleted. */
  quotes: z.array(z.object({ documentId: id, title: z.string(), text: z.string() })),
})
export type TestAnswer = z.output<typeof testAnswer>

export const testResult = z.object({
  questionId: id,
  question: z.string(),
  ...expectations,
  isPassed: z.boolean(),
  /** Rank of the first expected passage, starting at 1. */
  rank: z.nullable(z.number()),
  /** Null in runs of earlier versions. */
  answer: z.nullable(testAnswer),
  /** The texts of `mustContain` that the answer lacks. */
  missing: z.array(z.string()),
  /** The texts of `mustNotContain` that it has. */
  unwanted: z.array(z.string()),
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
  passed: z.number(),
  /** Mean rank of the first expected passages. */
  meanRank: z.nullable(z.number()),
})
export type TestRunSummary = z.output<typeof testRunSummary>

export const testRun = z.object({ ...testRunSummary.shape, results: z.array(testResult) })
export type TestRun = z.output<typeof testRun>

/** A test question that is answered differently after a change of the documents. */
export const answerChange = z.object({
  questionId: id,
  question: z.string(),
  /** 'gained' and 'lost' say whether the question passes, 'same' that only the answer is another one. */
  change: z.enum(['gained', 'lost', 'same']),
  before: testAnswer,
  after: testAnswer,
})
export type AnswerChange = z.output<typeof answerChange>

/** The changes of a document whose effect can be seen before. */
export const documentChange = z.enum(['approve', 'remove'])
export type DocumentChange = z.output<typeof documentChange>

type QuestionOutcome = Pick<
  TestResult,
  'question' | 'isPassed' | 'mustContain' | 'mustNotContain' | 'isUnanswerable'
> & { expected: readonly { _id: string }[] }

/** The question and everything that is expected of its answer. */
function describeQuestion({
  question,
  expected,
  mustContain,
  mustNotContain,
  isUnanswerable,
}: QuestionOutcome): string {
  const ids = [...new Set(expected.map(({ _id }) => _id))].sort()
  return JSON.stringify([question, ids, mustContain, mustNotContain, isUnanswerable])
}

/** Compares a result with an earlier run; 'new' when the question or what it expects changed. */
export function compareTestResults(now: QuestionOutcome, earlier: QuestionOutcome | undefined): TestChange {
  if (!earlier || describeQuestion(now) !== describeQuestion(earlier)) return 'new'
  if (now.isPassed === earlier.isPassed) return 'same'
  return now.isPassed ? 'gained' : 'lost'
}

const questionParams = z.object({ id, questionId: id })

export const testQuestionsApi = {
  list: endpoint({
    method: 'GET',
    path: '/channels/:id/questions',
    access: 'canManageDocuments',
    summary: 'List the test questions of a channel and its last runs, newest first',
    params: idParams,
    reply: z.object({
      questions: z.array(testQuestion),
      runs: z.array(testRunSummary),
      /** How well a passage must match a question, 0 to 1, learned by the last run. Null applies the usual limit. */
      minMatch: z.nullable(z.number()),
    }),
  }),
  add: endpoint({
    method: 'POST',
    path: '/channels/:id/questions',
    access: 'canManageDocuments',
    summary: 'Add a test question and what is expected of its answer',
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
  compare: endpoint({
    method: 'POST',
    path: '/documents/:id/questions/compare',
    access: 'canManageDocuments',
    limit: 'history',
    summary: 'List the test questions that are answered differently once a document is approved or removed',
    params: idParams,
    body: z.object({ change: documentChange }),
    reply: z.object({ total: z.number(), changes: z.array(answerChange) }),
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
