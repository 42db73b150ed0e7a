import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id, idParams, instant, line, message } from './wire.ts'

/** How many questions a channel keeps. */
export const testQuestionMaximum = 200
export const expectedMaximum = 10
/** How many runs a channel keeps; older ones go. */
export const testRunMaximum = 20
/** As many passages as an answer is written from. */
export const foundWithin = 10
export const excerptLength = 300
export const questionMaxLength = 1000

/** Stands for a document that has been deleted since. */
export const deletedDocument = '(deleted document)'

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here
const control = /[\u0000-\u001f\u007f]/

/** What is pasted from several lines becomes one. */
const question = z.string().check(
  z.overwrite((text) => text.replace(/\s+/g, ' ').trim()),
  z.minLength(3, 'At least 3 characters'),
  z.maxLength(questionMaxLength, `At most ${questionMaxLength} characters`),
  z.refine((text) => !control.test(text), 'This contains characters that cannot be shown'),
)

const expectedDocument = z.object({ _id: id, title: z.string(), isDeleted: z.boolean() })
export type ExpectedDocument = z.output<typeof expectedDocument>

export const testQuestion = z.object({
  _id: id,
  question: z.string(),
  /** One of them must be found. */
  expected: z.array(expectedDocument),
  updatedAt: instant,
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

/** A passage as it was found, and why: where it stood among those found by words and by meaning. */
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
  /** The place of the first expected passage, from 1. */
  rank: z.nullable(z.number()),
  /** Against the run before. */
  change: testChange,
  passages: z.array(z.object({ ...retrievedPassage.shape, isExpected: z.boolean() })),
})
export type TestResult = z.output<typeof testResult>

export const testRunSummary = z.object({
  _id: id,
  ranAt: instant,
  note: z.string(),
  total: z.number(),
  found: z.number(),
  /** Of those that were found. */
  meanRank: z.nullable(z.number()),
})
export type TestRunSummary = z.output<typeof testRunSummary>

export const testRun = z.object({ ...testRunSummary.shape, results: z.array(testResult) })
export type TestRun = z.output<typeof testRun>

type Asked = Pick<TestResult, 'question' | 'isFound'> & { expected: readonly { _id: string }[] }

const expectsTheSame = (one: Asked, other: Asked): boolean => {
  const ids = new Set(one.expected.map(({ _id }) => _id))
  return ids.size === other.expected.length && other.expected.every(({ _id }) => ids.has(_id))
}

/** What became of a question since an earlier run; 'new' when that did not ask the same. */
export const changeSince = (now: Asked, earlier: Asked | undefined): TestChange => {
  if (!earlier || now.question !== earlier.question || !expectsTheSame(now, earlier)) return 'new'
  if (now.isFound === earlier.isFound) return 'same'
  return now.isFound ? 'gained' : 'lost'
}

const questionParams = z.object({ id, questionId: id })

export const testQuestionsApi = {
  list: endpoint({
    method: 'GET',
    path: '/channels/:id/questions',
    access: 'canManageDocuments',
    summary: 'A channel’s test questions and its last runs, newest first',
    params: idParams,
    reply: z.object({ questions: z.array(testQuestion), runs: z.array(testRunSummary) }),
  }),
  add: endpoint({
    method: 'POST',
    path: '/channels/:id/questions',
    access: 'canManageDocuments',
    summary: 'Keep a question with the documents that should be found for it',
    params: idParams,
    body: testQuestionInput,
    reply: testQuestion,
  }),
  run: endpoint({
    method: 'POST',
    path: '/channels/:id/questions/run',
    access: 'canManageDocuments',
    limit: 'history',
    summary: 'Look for all test questions as an answer would, and keep what was found',
    params: idParams,
    body: z.object({ note: z.optional(line(200, 'A note cannot be blank')) }),
    reply: testRun,
  }),
  getRun: endpoint({
    method: 'GET',
    path: '/channels/:id/questions/runs/:runId',
    access: 'canManageDocuments',
    summary: 'What an earlier run found',
    params: z.object({ id, runId: id }),
    reply: testRun,
  }),
  try: endpoint({
    method: 'POST',
    path: '/channels/:id/questions/try',
    access: 'canManageDocuments',
    limit: 'history',
    summary: 'What would be found for a question that is not kept',
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
    summary: 'Delete a test question; runs keep what it found',
    params: questionParams,
    reply: message,
  }),
} as const
