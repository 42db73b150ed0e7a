import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id, intParam, isoTimestamp, page } from './wire.ts'

/** Maximum length of a range in days. Analytics days are UTC days for all users. */
export const maximumRangeDays = 400
export const defaultRangeDays = 30

const dayMs = 86_400_000
/** Whether the day exists, unlike 30 February. */
function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}
export const day = z
  .string()
  .check(z.regex(/^\d{4}-\d\d-\d\d$/, 'Enter a valid date'), z.refine(isDay, 'Enter a valid date'))

export function formatDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
export function startOfDay(text: string): number {
  return Date.parse(`${text}T00:00:00Z`)
}
export function addDays(text: string, days: number): string {
  return formatDay(startOfDay(text) + days * dayMs)
}

/** Both ends are included. */
export interface DayRange {
  from: string
  to: string
}

export function countDays({ from, to }: DayRange): number {
  return (startOfDay(to) - startOfDay(from)) / dayMs + 1
}

/** The range of the same length that ends on the day before `range` begins. */
export function previousRange(range: DayRange): DayRange {
  return {
    from: addDays(range.from, -countDays(range)),
    to: addDays(range.from, -1),
  }
}

/**
 * Fills in the end that is missing, so that the range has the default number of days. Without both ends, the range ends
 * today.
 */
export function completeRange(
  input: { from?: string | undefined; to?: string | undefined },
  now: number,
): DayRange {
  const to =
    input.to ?? (input.from === undefined ? formatDay(now) : addDays(input.from, defaultRangeDays - 1))
  return { from: input.from ?? addDays(to, 1 - defaultRangeDays), to }
}

const range = { from: z.optional(day), to: z.optional(day), channelId: z.optional(id) }
const pagingQuery = { limit: z._default(intParam(1, 100), 10), skip: z._default(intParam(0, 10_000_000), 0) }

/** Counts of messages and replies. */
const figures = {
  messages: z.number(),
  replies: z.number(),
  /** Replies that say the documents do not contain the answer. */
  refusals: z.number(),
  /** Replies that failed or were interrupted. */
  failures: z.number(),
  /** Replies that quote passages because no model is configured. */
  quoted: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  good: z.number(),
  bad: z.number(),
}

/** Milliseconds from the question to the first word of the reply; null without replies. */
const latencies = { firstWordP50: z.nullable(z.number()), firstWordP95: z.nullable(z.number()) }

export const usageFigures = z.object({ ...figures, ...latencies })
export type UsageFigures = z.output<typeof usageFigures>

/** `people` is the number of distinct users who sent a message. */
export const usageTotals = z.object({ ...figures, ...latencies, people: z.number() })
export type UsageTotals = z.output<typeof usageTotals>

export const usageDay = z.object({ ...figures, ...latencies, people: z.number(), day })
export type UsageDay = z.output<typeof usageDay>

/** `model` is the model that answered; empty when no model was used. */
export const usageModel = z.object({ ...figures, ...latencies, model: z.string() })
export type UsageModel = z.output<typeof usageModel>

export const analytics = z.object({
  from: day,
  to: day,
  totals: usageTotals,
  /** The same figures for the previous range. */
  before: usageTotals,
  /** Every day of the range, including days without messages. */
  days: z.array(usageDay),
  models: z.array(usageModel),
})
export type Analytics = z.output<typeof analytics>

/** Here and below, a name or title is null when its channel or document was deleted. */
export const usageChannel = z.object({
  ...figures,
  ...latencies,
  channelId: id,
  channelName: z.nullable(z.string()),
})
export type UsageChannel = z.output<typeof usageChannel>

export const citedDocument = z.object({
  documentId: id,
  title: z.nullable(z.string()),
  channelId: id,
  channelName: z.nullable(z.string()),
  citations: z.number(),
})
export type CitedDocument = z.output<typeof citedDocument>

/**
 * Why a question counts as unanswered: the channel has no documents, no passage was relevant, no sentence of the
 * reply was supported by the passages, or the model answered without any passage.
 */
export const unansweredReasons = [
  'no-documents',
  'nothing-found',
  'not-supported',
  'without-passage',
] as const
export const unansweredReason = z.enum(unansweredReasons)
export type UnansweredReason = z.output<typeof unansweredReason>

/** Does not name the user who asked: editors need only the question. */
export const unansweredQuestion = z.object({
  _id: id,
  text: z.string(),
  channelId: id,
  channelName: z.string(),
  askedAt: isoTimestamp,
  reason: unansweredReason,
  /** Set when an administrator resolved it; `by` is null when that user was deleted. */
  resolved: z.nullable(z.object({ at: isoTimestamp, by: z.nullable(z.string()) })),
})
export type UnansweredQuestion = z.output<typeof unansweredQuestion>

export const questionStates = ['open', 'resolved'] as const
export type QuestionState = (typeof questionStates)[number]

export const analyticsTables = ['days', 'channels', 'models', 'documents', 'questions'] as const
export type AnalyticsTable = (typeof analyticsTables)[number]

/** How often a model checked the citations of a channel in the last days, and what it took. */
export const checkUsage = z.object({
  days: z.number(),
  /** Model calls, and their tokens of both directions. */
  checks: z.number(),
  tokens: z.number(),
  /** Citations with a verdict, and how many of them were removed because of it. */
  checkedCitations: z.number(),
  removedCitations: z.number(),
  /** Citations that were shown without a verdict, because the model gave none. */
  uncheckedCitations: z.number(),
})
export type CheckUsage = z.output<typeof checkUsage>

export const analyticsApi = {
  get: endpoint({
    method: 'GET',
    path: '/admin/analytics',
    access: 'canViewAnalytics',
    limit: 'history',
    summary:
      'Get counts of messages, users, tokens, refusals and ratings, and response times: in total, per day and per model',
    query: z.object(range),
    reply: analytics,
  }),
  channels: endpoint({
    method: 'GET',
    path: '/admin/analytics/channels',
    access: 'canViewAnalytics',
    limit: 'history',
    summary: 'List usage per channel, most messages first',
    query: z.object({ ...range, ...pagingQuery }),
    reply: page(usageChannel),
  }),
  documents: endpoint({
    method: 'GET',
    path: '/admin/analytics/documents',
    access: 'canViewAnalytics',
    limit: 'history',
    summary: 'List cited documents, most cited first',
    query: z.object({ ...range, ...pagingQuery }),
    reply: page(citedDocument),
  }),
  questions: endpoint({
    method: 'GET',
    path: '/admin/analytics/questions',
    access: 'canViewAnalytics',
    limit: 'history',
    summary: 'List unanswered questions, newest first; each request is recorded in the audit log',
    query: z.object({ ...range, ...pagingQuery, state: z._default(z.enum(questionStates), 'open') }),
    reply: page(unansweredQuestion),
  }),
  resolve: endpoint({
    method: 'PUT',
    path: '/admin/analytics/questions/:id',
    access: 'canViewAnalytics',
    summary: 'Mark a question as resolved, or reopen it',
    params: z.object({ id }),
    body: z.object({ isResolved: z.boolean() }),
    reply: z.object({ resolved: z.nullable(z.object({ at: isoTimestamp, by: z.nullable(z.string()) })) }),
  }),
  export: endpoint({
    method: 'GET',
    path: '/admin/analytics/export',
    access: 'canViewAnalytics',
    limit: 'export',
    summary: 'Export one of the tables as CSV',
    query: z.object({
      ...range,
      table: z.enum(analyticsTables),
      state: z._default(z.enum(questionStates), 'open'),
    }),
    reply: 'file',
    contentTypes: ['text/csv'],
  }),
  checkUsage: endpoint({
    method: 'GET',
    path: '/channels/:id/check-usage',
    access: 'canEditChannels',
    summary: 'Count how often a model checked the citations of a channel in the last 30 days, and its tokens',
    params: z.object({ id }),
    reply: checkUsage,
  }),
} as const
