import type { QuestionState, UnansweredQuestion } from '@lyceum/contract/analytics'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { type Asked, type Paged, rangeOf } from './analytics.ts'
import { enterLook } from './enter.ts'
import {
  countQuestions,
  findResolution,
  listQuestions,
  type QuestionFilter,
  type QuestionRow,
  resolveQuestion,
} from './question-store.ts'

export type QuestionsAsked = Asked & { state: QuestionState }

export const filterOf = (deps: Deps, asked: QuestionsAsked): QuestionFilter => ({
  range: rangeOf(deps, asked),
  channelId: asked.channelId,
  state: asked.state,
})

const resolution = (at: number | null, by: string | null): UnansweredQuestion['resolved'] =>
  at === null ? null : { at: new Date(at).toISOString(), by }

export const presentQuestion = (row: QuestionRow): UnansweredQuestion => ({
  _id: row.id,
  text: row.text,
  channelId: row.channel_id,
  channelName: row.channel_name,
  askedAt: new Date(row.asked_at).toISOString(),
  reason: row.reason,
  resolved: resolution(row.resolved_at, row.resolver_name),
})

/** What people asked without finding it: a look into their chats, though without their names. */
export const unansweredQuestions = async (
  deps: Deps,
  actor: Actor,
  { limit, skip, ...asked }: QuestionsAsked & Paged,
) => {
  const filter = filterOf(deps, asked)
  const rows = await listQuestions(deps.db, filter, { limit, skip })
  const total = await countQuestions(deps.db, filter)
  const { range, ...narrowed } = filter
  await enterLook(deps, actor, 'analytics.read', {
    ...range,
    ...narrowed,
    limit,
    skip,
    questions: rows.length,
  })
  return { items: rows.map(presentQuestion), total, totalPages: Math.ceil(total / limit) }
}

/** Of two who mark it the first one stands. */
export const resolve = async (deps: Deps, actor: Actor, id: string, isResolved: boolean) => {
  const isThere = await resolveQuestion(deps.db, id, isResolved ? { at: deps.now(), by: actor.userId } : null)
  const now = isThere ? await findResolution(deps.db, id) : undefined
  if (!now) throw notFound()
  return { resolved: resolution(now.resolved_at, now.resolver_name) }
}
