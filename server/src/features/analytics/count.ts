import { dayOf, type UnansweredReason } from '@lyceum/contract/analytics'
import type { Tx } from '#db/client.ts'
import {
  addCitations,
  addToDay,
  addToPerson,
  allChannels,
  type DayCounts,
  dropUnanswered,
  keepUnanswered,
} from './count-store.ts'
import { waitNameOf } from './waits.ts'

/** The same figures for the channel and for all channels together. */
function both(channelId: string, counts: Omit<DayCounts, 'channel_id'>): DayCounts[] {
  return [allChannels, channelId].map((channel_id) => ({ ...counts, channel_id }))
}

interface Asked {
  userId: string
  channelId: string
  /** A message, and not only another reply to one. */
  isNewMessage: boolean
  now: number
}

/**
 * Counts what a person asks, in the transaction that accepts it and last in it. Answers with what they and the
 * channel have asked today, this included: whoever asks at the same time waits here for the other's count.
 */
export async function countAsked(
  tx: Tx,
  { userId, channelId, isNewMessage, now }: Asked,
): Promise<{ byPerson: number; inChannel: number }> {
  const day = dayOf(now)
  const person = await addToPerson(tx, { userId, channelId, day, asked: 1, tokens: 0 })
  const counts = { model: '', messages: isNewMessage ? 1 : 0, asked: 1 }
  const rows = await addToDay(tx, day, [
    { ...counts, channel_id: allChannels, people: person.everywhere === 1 ? 1 : 0 },
    { ...counts, channel_id: channelId, people: person.here === 1 ? 1 : 0 },
  ])
  const inChannel = rows.find(({ channel_id }) => channel_id === channelId)?.asked ?? 0
  return { byPerson: person.everywhere, inChannel }
}

type ReplyState = 'complete' | 'stopped' | 'interrupted' | 'failed'

export interface ReplyEnding {
  state: ReplyState
  mode: 'model' | 'extractive' | 'refusal' | null
  /** From the question to the first word, in milliseconds; null when there was none. */
  firstWord: number | null
  citedDocuments: readonly string[]
}

interface CountedReply {
  userId: string
  channelId: string
  /** Everything about a turn counts on the day it was asked on. */
  askedAt: number
  /** The model that answered, null when none was asked. */
  model: string | null
  calls: readonly { model: string; input: number; output: number }[]
  /** Null when somebody else wrote the end and counted it: what the models took counts all the same. */
  ending: ReplyEnding | null
}

function endingCounts({ state, mode, firstWord }: ReplyEnding): Omit<DayCounts, 'channel_id' | 'model'> {
  return {
    replies: 1,
    refusals: mode === 'refusal' ? 1 : 0,
    failures: state === 'failed' || state === 'interrupted' ? 1 : 0,
    quoted: mode === 'extractive' ? 1 : 0,
    ...(firstWord === null ? {} : { [waitNameOf(firstWord)]: 1 }),
  }
}

/** Counts a reply that has ended, in the transaction that writes its end and last in it. */
export async function countReply(tx: Tx, reply: CountedReply): Promise<void> {
  const { userId, channelId, askedAt, calls, ending } = reply
  const day = dayOf(askedAt)
  const byModel = new Map<string, Omit<DayCounts, 'channel_id'>>()
  if (ending !== null) {
    const model = reply.model ?? ''
    byModel.set(model, { model, ...endingCounts(ending) })
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
  if (tokens > 0) await addToPerson(tx, { userId, channelId, day, asked: 0, tokens })
  const cited = [...new Set(ending?.citedDocuments)]
  if (cited.length > 0) await addCitations(tx, day, channelId, cited)
  const rows = [...byModel.values()].flatMap((counts) => both(channelId, counts))
  if (rows.length > 0) await addToDay(tx, day, rows)
}

interface AnsweredQuestion {
  id: string
  channelId: string
  askedAt: number
  /** Asked before, so that it may be on the list. */
  isRepeated: boolean
  /** Null once it is answered. */
  reason: UnansweredReason | null
}

/** Puts a question on the editors' list, or takes it off when another try has found an answer. */
export async function noteAnswer(tx: Tx, question: AnsweredQuestion): Promise<void> {
  const { reason } = question
  if (reason !== null) await keepUnanswered(tx, { ...question, reason })
  else if (question.isRepeated) await dropUnanswered(tx, question.id)
}

type Rating = 'good' | 'bad' | null

function opinions(rating: Rating, by: 1 | -1) {
  return rating === null ? {} : { [rating]: by }
}

/** Moves a reply from one opinion to another; on the day it was asked for, whenever it is judged. */
export async function countFeedback(
  tx: Tx,
  reply: { channelId: string; askedAt: number; model: string | null },
  from: Rating,
  to: Rating,
): Promise<void> {
  if (from === to) return
  const counts = { model: reply.model ?? '', ...opinions(from, -1), ...opinions(to, 1) }
  await addToDay(tx, dayOf(reply.askedAt), both(reply.channelId, counts))
}
