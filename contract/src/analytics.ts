import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { count, id, instant, page } from './wire.ts'

/** Days of analytics are UTC days, the same for everybody wherever they sit. */
export const longestRange = 400
export const usualRange = 30

const dayMs = 86_400_000
const isDay = (text: string): boolean => {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}
export const day = z.string().check(z.refine(isDay, 'This is not a day'))

export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
export const timeOfDay = (text: string): number => Date.parse(`${text}T00:00:00Z`)
export const dayAfter = (text: string, days: number): string => dayOf(timeOfDay(text) + days * dayMs)

/** Both ends are part of it. */
export interface DayRange {
  from: string
  to: string
}

export const lengthOf = ({ from, to }: DayRange): number => (timeOfDay(to) - timeOfDay(from)) / dayMs + 1

/** The range of equal length that ends the day before. */
export const rangeBefore = (range: DayRange): DayRange => ({
  from: dayAfter(range.from, -lengthOf(range)),
  to: dayAfter(range.from, -1),
})

/** What is left out of a range: up to today, and as many days as usual. */
export const rangeFrom = (
  given: { from?: string | undefined; to?: string | undefined },
  now: number,
): DayRange => {
  const to = given.to ?? (given.from === undefined ? dayOf(now) : dayAfter(given.from, usualRange - 1))
  return { from: given.from ?? dayAfter(to, 1 - usualRange), to }
}

const range = { from: z.optional(day), to: z.optional(day), channelId: z.optional(id) }
const paged = { limit: z._default(count(1, 100), 10), skip: z._default(count(0, 10_000_000), 0) }

/** What is counted of messages and of the replies to them. */
const figures = {
  messages: z.number(),
  replies: z.number(),
  /** Replies that say that the documents do not hold the answer. */
  refusals: z.number(),
  /** Replies that broke off or never came. */
  failures: z.number(),
  /** Replies that quote passages because no model is there. */
  quoted: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  good: z.number(),
  bad: z.number(),
}

/** From the question to the first word of the reply, in milliseconds; null where nothing was said. */
const waits = { firstWordP50: z.nullable(z.number()), firstWordP95: z.nullable(z.number()) }

export const usageFigures = z.object({ ...figures, ...waits })
export type UsageFigures = z.output<typeof usageFigures>

/** `people`: how many different ones asked something. */
export const usageTotals = z.object({ ...figures, ...waits, people: z.number() })
export type UsageTotals = z.output<typeof usageTotals>

export const usageDay = z.object({ ...figures, ...waits, people: z.number(), day })
export type UsageDay = z.output<typeof usageDay>

/** `model` is the one that answered; empty where none was asked. */
export const usageModel = z.object({ ...figures, ...waits, model: z.string() })
export type UsageModel = z.output<typeof usageModel>

export const analytics = z.object({
  from: day,
  to: day,
  totals: usageTotals,
  /** The same of the range before. */
  before: usageTotals,
  /** Every day of the range, also those without a message. */
  days: z.array(usageDay),
  models: z.array(usageModel),
})
export type Analytics = z.output<typeof analytics>

/** A name is null where the channel or the document is gone. */
export const usageChannel = z.object({
  ...figures,
  ...waits,
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
 * Why a question is on the editors' list: the channel has no documents, nothing in them came near, no sentence of the
 * model's answer was borne out by what was found, or the model answered without any passage.
 */
export const unansweredReasons = [
  'no-documents',
  'nothing-found',
  'not-supported',
  'without-passage',
] as const
export const unansweredReason = z.enum(unansweredReasons)
export type UnansweredReason = z.output<typeof unansweredReason>

/** Without the person who asked: an editor needs the question, not the one behind it. */
export const unansweredQuestion = z.object({
  _id: id,
  text: z.string(),
  channelId: id,
  channelName: z.string(),
  askedAt: instant,
  reason: unansweredReason,
  /** Set once somebody has dealt with it; their name is null when they are gone. */
  resolved: z.nullable(z.object({ at: instant, by: z.nullable(z.string()) })),
})
export type UnansweredQuestion = z.output<typeof unansweredQuestion>

export const questionStates = ['open', 'resolved'] as const
export type QuestionState = (typeof questionStates)[number]

export const analyticsTables = ['days', 'channels', 'models', 'documents', 'questions'] as const
export type AnalyticsTable = (typeof analyticsTables)[number]

export const analyticsApi = {
  get: endpoint({
    method: 'GET',
    path: '/admin/analytics',
    access: 'canViewAnalytics',
    limit: 'history',
    summary: 'Messages, people, tokens, refusals, waits and feedback: in all, per day and per model',
    query: z.object(range),
    reply: analytics,
  }),
  channels: endpoint({
    method: 'GET',
    path: '/admin/analytics/channels',
    access: 'canViewAnalytics',
    limit: 'history',
    summary: 'The same per channel, most messages first',
    query: z.object({ ...range, ...paged }),
    reply: page(usageChannel),
  }),
  documents: endpoint({
    method: 'GET',
    path: '/admin/analytics/documents',
    access: 'canViewAnalytics',
    limit: 'history',
    summary: 'The documents that were cited, most cited first',
    query: z.object({ ...range, ...paged }),
    reply: page(citedDocument),
  }),
  questions: endpoint({
    method: 'GET',
    path: '/admin/analytics/questions',
    access: 'canViewAnalytics',
    limit: 'history',
    summary: 'Questions that found no passage, newest first; each look is entered in the audit log',
    query: z.object({ ...range, ...paged, state: z._default(z.enum(questionStates), 'open') }),
    reply: page(unansweredQuestion),
  }),
  resolve: endpoint({
    method: 'PUT',
    path: '/admin/analytics/questions/:id',
    access: 'canViewAnalytics',
    summary: 'Mark a question as dealt with, or take that back',
    params: z.object({ id }),
    body: z.object({ isResolved: z.boolean() }),
    reply: z.object({ resolved: z.nullable(z.object({ at: instant, by: z.nullable(z.string()) })) }),
  }),
  export: endpoint({
    method: 'GET',
    path: '/admin/analytics/export',
    access: 'canViewAnalytics',
    limit: 'export',
    summary: 'One of the tables as a CSV file',
    query: z.object({
      ...range,
      table: z.enum(analyticsTables),
      state: z._default(z.enum(questionStates), 'open'),
    }),
    reply: 'file',
  }),
} as const
