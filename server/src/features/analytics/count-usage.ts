import { formatDay, type UnansweredReason } from '@lyceum/contract/analytics'
import type { Executor, Tx } from '#db/client.ts'
import {
  addCitations,
  addDailyUsage,
  addUserUsage,
  addVisitorUsage,
  allChannels,
  allVisitors,
  type DayCounts,
  deleteUnanswered,
  deleteVisitorUsage,
  findVisitors,
  insertUnanswered,
} from './count-store.ts'
import { findWaitColumn } from './waits.ts'

/** The same counts for the channel and for the totals of all channels. */
function duplicateForTotal<C>(channelId: string, counts: C): (C & { channel_id: string })[] {
  return [allChannels, channelId].map((channel_id) => ({ ...counts, channel_id }))
}

interface CountedRequest {
  userId: string
  channelId: string
  /** False when an earlier message is sent again for another reply. */
  isNewMessage: boolean
  now: number
  /** Whether concurrent requests in the channel wait for each other, so that its quota cannot be exceeded. */
  isChannelLimited: boolean
}

/**
 * Counts a request. Call it last in the transaction that accepts the request. Returns the user's requests of today,
 * including this one; concurrent requests of the user wait here for each other, so their quota cannot be exceeded.
 */
export async function countRequest(
  tx: Tx,
  { userId, channelId, isNewMessage, now, isChannelLimited }: CountedRequest,
): Promise<number> {
  const day = formatDay(now)
  const requests = await addUserUsage(
    tx,
    duplicateForTotal(channelId, { user_id: userId, day, asked: 1, tokens: 0 }),
  )
  function countRequestsIn(id: string): number {
    return requests.find(({ channel_id }) => channel_id === id)?.asked ?? 0
  }
  const rows = [allChannels, channelId].map((channel_id) => ({
    ...{ channel_id, day, model: '', messages: isNewMessage ? 1 : 0, asked: 1 },
    people: countRequestsIn(channel_id) === 1 ? 1 : 0,
  }))
  await addDailyUsage(tx, rows, isChannelLimited ? channelId : undefined)
  return countRequestsIn(allChannels)
}

/**
 * As `countRequest` for a visitor, who counts as no user in the figures. Returns the requests of today, also of all
 * visitors of the channel: concurrent requests of visitors there wait here for each other.
 */
export async function countVisitorRequest(
  tx: Tx,
  { userId, channelId, isNewMessage, now, isChannelLimited }: CountedRequest,
): Promise<{ byVisitor: number; byAllVisitors: number }> {
  const day = formatDay(now)
  const counted = await addVisitorUsage(
    tx,
    [allVisitors, userId].map((visitor_id) => ({
      channel_id: channelId,
      visitor_id,
      day,
      arrived: 0,
      asked: 1,
    })),
  )
  function countRequestsOf(id: string): number {
    return counted.find(({ visitor_id }) => visitor_id === id)?.asked ?? 0
  }
  const row = { day, model: '', messages: isNewMessage ? 1 : 0, asked: 1 }
  await addDailyUsage(tx, duplicateForTotal(channelId, row), isChannelLimited ? channelId : undefined)
  return { byVisitor: countRequestsOf(userId), byAllVisitors: countRequestsOf(allVisitors) }
}

/** Counts a new visitor. Returns how many the channel has had today, including this one. */
export async function countArrival(tx: Tx, channelId: string, now: number): Promise<number> {
  const key = { channel_id: channelId, visitor_id: allVisitors, day: formatDay(now) }
  const [counted] = await addVisitorUsage(tx, [{ ...key, arrived: 1, asked: 0 }])
  return counted?.arrived ?? 0
}

/** Deletes what visitors asked before this day, which no limit needs any more. */
export function deleteEarlierVisitorUsage(db: Executor, day: string): Promise<void> {
  return deleteVisitorUsage(db, day)
}

type ReplyState = 'complete' | 'stopped' | 'interrupted' | 'failed'

export interface ReplyEnding {
  state: ReplyState
  mode: 'model' | 'extractive' | 'refusal' | null
  /** Milliseconds from the question to the first word; null when no word was sent. */
  timeToFirstWord: number | null
  citedDocuments: readonly string[]
}

/** How many citations a model confirmed or not, and for how many it gave no verdict. */
export interface VerdictCounts {
  confirmed: number
  unconfirmed: number
  unchecked: number
}

interface CountedReply {
  userId: string
  channelId: string
  /** When the question was asked. Everything about its reply is counted on that day. */
  askedAt: number
  /** Null when no model was called. */
  model: string | null
  calls: readonly { model: string; input: number; output: number; isCheck?: boolean }[]
  /** What the calls that checked citations said. */
  verdicts?: VerdictCounts | null
  /** Null when another process already recorded the ending; token usage is still counted. */
  ending: ReplyEnding | null
}

function toEndingCounts({
  state,
  mode,
  timeToFirstWord,
}: ReplyEnding): Omit<DayCounts, 'channel_id' | 'day' | 'model'> {
  return {
    replies: 1,
    refusals: mode === 'refusal' ? 1 : 0,
    failures: state === 'failed' || state === 'interrupted' ? 1 : 0,
    quoted: mode === 'extractive' ? 1 : 0,
    ...(timeToFirstWord === null ? {} : { [findWaitColumn(timeToFirstWord)]: 1 }),
  }
}

function toVerdictCounts({ confirmed, unconfirmed, unchecked }: VerdictCounts) {
  return {
    checked_citations: confirmed + unconfirmed,
    unconfirmed_citations: unconfirmed,
    unchecked_citations: unchecked,
  }
}

function toDailyCounts({
  channelId,
  askedAt,
  model,
  calls,
  verdicts = null,
  ending,
}: CountedReply): DayCounts[] {
  const day = formatDay(askedAt)
  const counts = [
    ...(ending === null ? [] : [{ day, model: model ?? '', ...toEndingCounts(ending) }]),
    ...calls.map((call) => ({
      ...{ day, model: call.model },
      ...{ input_tokens: call.input, output_tokens: call.output },
      ...(call.isCheck ? { checks: 1, check_tokens: call.input + call.output } : {}),
    })),
    ...(verdicts === null ? [] : [{ day, model: '', ...toVerdictCounts(verdicts) }]),
  ]
  return counts.flatMap((row) => duplicateForTotal(channelId, row))
}

function toUserTokens({ userId, channelId, askedAt, calls }: CountedReply) {
  const tokens = calls.reduce((sum, { input, output }) => sum + input + output, 0)
  const row = { user_id: userId, day: formatDay(askedAt), asked: 0, tokens }
  return tokens === 0 ? [] : duplicateForTotal(channelId, row)
}

/** Visitors count as no users, and none of their limits is about tokens. */
async function omitVisitors<R extends { user_id: string }>(tx: Tx, rows: readonly R[]): Promise<R[]> {
  const visitors = await findVisitors(tx, new Set(rows.map(({ user_id }) => user_id)))
  return rows.filter(({ user_id }) => !visitors.has(user_id))
}

function toCitations({ channelId, askedAt, ending }: CountedReply) {
  const row = { channel_id: channelId, day: formatDay(askedAt), citations: 1 }
  return [...new Set(ending?.citedDocuments)].map((document_id) => ({ ...row, document_id }))
}

/**
 * Counts finished replies. Call it last in the transaction that stores their endings, and only once: rows of all replies
 * are written in the order of their keys, so that concurrent transactions cannot deadlock.
 */
export async function countReplies(tx: Tx, replies: readonly CountedReply[]): Promise<void> {
  const tokens = await omitVisitors(tx, replies.flatMap(toUserTokens))
  if (tokens.length > 0) await addUserUsage(tx, tokens)
  const citations = replies.flatMap(toCitations)
  if (citations.length > 0) await addCitations(tx, citations)
  const rows = replies.flatMap(toDailyCounts)
  if (rows.length > 0) await addDailyUsage(tx, rows)
}

interface AnsweredQuestion {
  id: string
  channelId: string
  askedAt: number
  /** Whether the question was asked before and may already be on the list. */
  isRepeated: boolean
  /** Null when the question was answered. */
  reason: UnansweredReason | null
}

/** Adds a question to the list of unanswered questions, or removes it when a new attempt was answered. */
export async function updateUnansweredList(tx: Tx, question: AnsweredQuestion): Promise<void> {
  const { reason } = question
  if (reason !== null) await insertUnanswered(tx, { ...question, reason })
  else if (question.isRepeated) await deleteUnanswered(tx, question.id)
}

type Rating = 'good' | 'bad' | null

function toRatingCounts(rating: Rating, change: 1 | -1) {
  return rating === null ? {} : { [rating]: change }
}

/** Counts a changed rating of a reply. Ratings count on the day of the question, not of the rating. */
export async function countFeedback(
  tx: Tx,
  reply: { channelId: string; askedAt: number; model: string | null },
  from: Rating,
  to: Rating,
): Promise<void> {
  if (from === to) return
  const key = { day: formatDay(reply.askedAt), model: reply.model ?? '' }
  const counts = { ...key, ...toRatingCounts(from, -1), ...toRatingCounts(to, 1) }
  await addDailyUsage(tx, duplicateForTotal(reply.channelId, counts))
}
