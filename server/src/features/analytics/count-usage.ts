import { formatDay, type UnansweredReason } from '@lyceum/contract/analytics'
import type { Tx } from '#db/client.ts'
import {
  addCitations,
  addDailyUsage,
  addUserUsage,
  allChannels,
  type DayCounts,
  deleteUnanswered,
  insertUnanswered,
} from './count-store.ts'
import { findWaitColumn } from './waits.ts'

/** The same counts for the channel and for the totals of all channels. */
function duplicateForTotal(channelId: string, counts: Omit<DayCounts, 'channel_id'>): DayCounts[] {
  return [allChannels, channelId].map((channel_id) => ({ ...counts, channel_id }))
}

interface CountedRequest {
  userId: string
  channelId: string
  /** False when an earlier message is sent again for another reply. */
  isNewMessage: boolean
  now: number
}

/**
 * Counts a request. Call it last in the transaction that accepts the request. Returns today's counts of the user and
 * of the channel, including this request; concurrent requests wait here for each other, so quotas cannot be exceeded.
 */
export async function countRequest(
  tx: Tx,
  { userId, channelId, isNewMessage, now }: CountedRequest,
): Promise<{ byUser: number; inChannel: number }> {
  const day = formatDay(now)
  const requests = await addUserUsage(tx, { userId, channelId, day, asked: 1, tokens: 0 })
  const counts = { model: '', messages: isNewMessage ? 1 : 0, asked: 1 }
  const rows = await addDailyUsage(tx, day, [
    { ...counts, channel_id: allChannels, people: requests.total === 1 ? 1 : 0 },
    { ...counts, channel_id: channelId, people: requests.inChannel === 1 ? 1 : 0 },
  ])
  const inChannel = rows.find(({ channel_id }) => channel_id === channelId)?.asked ?? 0
  return { byUser: requests.total, inChannel }
}

type ReplyState = 'complete' | 'stopped' | 'interrupted' | 'failed'

export interface ReplyEnding {
  state: ReplyState
  mode: 'model' | 'extractive' | 'refusal' | null
  /** Milliseconds from the question to the first word; null when no word was sent. */
  timeToFirstWord: number | null
  citedDocuments: readonly string[]
}

interface CountedReply {
  userId: string
  channelId: string
  /** When the question was asked. Everything about its reply is counted on that day. */
  askedAt: number
  /** Null when no model was called. */
  model: string | null
  calls: readonly { model: string; input: number; output: number }[]
  /** Null when another process already recorded the ending; token usage is still counted. */
  ending: ReplyEnding | null
}

function toEndingCounts({
  state,
  mode,
  timeToFirstWord,
}: ReplyEnding): Omit<DayCounts, 'channel_id' | 'model'> {
  return {
    replies: 1,
    refusals: mode === 'refusal' ? 1 : 0,
    failures: state === 'failed' || state === 'interrupted' ? 1 : 0,
    quoted: mode === 'extractive' ? 1 : 0,
    ...(timeToFirstWord === null ? {} : { [findWaitColumn(timeToFirstWord)]: 1 }),
  }
}

/** Counts a finished reply. Call it last in the transaction that stores its ending. */
export async function countReply(tx: Tx, reply: CountedReply): Promise<void> {
  const { userId, channelId, askedAt, calls, ending } = reply
  const day = formatDay(askedAt)
  const byModel = new Map<string, Omit<DayCounts, 'channel_id'>>()
  if (ending !== null) {
    const model = reply.model ?? ''
    byModel.set(model, { model, ...toEndingCounts(ending) })
  }
  for (const { model, input, output } of calls) {
    const known = byModel.get(model) ?? { model }
    byModel.set(model, {
      ...known,
      input_tokens: (known.input_tokens ?? 0) + input,
      output_tokens: (known.output_tokens ?? 0) + output,
    })
  }
  const tokens = calls.reduce((sum, { input, output }) => sum + input + output, 0)
  if (tokens > 0) await addUserUsage(tx, { userId, channelId, day, asked: 0, tokens })
  const cited = [...new Set(ending?.citedDocuments)]
  if (cited.length > 0) await addCitations(tx, day, channelId, cited)
  const rows = [...byModel.values()].flatMap((counts) => duplicateForTotal(channelId, counts))
  if (rows.length > 0) await addDailyUsage(tx, day, rows)
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
  const counts = { model: reply.model ?? '', ...toRatingCounts(from, -1), ...toRatingCounts(to, 1) }
  await addDailyUsage(tx, formatDay(reply.askedAt), duplicateForTotal(reply.channelId, counts))
}
