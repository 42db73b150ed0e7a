import type { QuestionState, UnansweredQuestion } from '@lyceum/contract/analytics'
import { toPage } from '#lib/page.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { audit } from '../audit/append.ts'
import { type AnalyticsQuery, type PageQuery, requireRange } from './analytics.ts'
import { auditRead } from './audit-read.ts'
import {
  countQuestions,
  findResolution,
  listQuestions,
  markQuestion,
  type QuestionFilter,
  type QuestionRow,
} from './question-store.ts'

export type QuestionQuery = AnalyticsQuery & { state: QuestionState }

export function toQuestionFilter(deps: Deps, query: QuestionQuery): QuestionFilter {
  return {
    range: requireRange(deps, query),
    channelId: query.channelId,
    state: query.state,
  }
}

function presentResolution(at: number | null, by: string | null): UnansweredQuestion['resolved'] {
  return at === null ? null : { at: new Date(at).toISOString(), by }
}

export function presentQuestion(row: QuestionRow): UnansweredQuestion {
  return {
    _id: row.id,
    text: row.text,
    channelId: row.channel_id,
    channelName: row.channel_name,
    askedAt: new Date(row.asked_at).toISOString(),
    reason: row.reason,
    resolved: presentResolution(row.resolved_at, row.resolver_name),
  }
}

/** Lists unanswered questions. Reading them is audited, because they come from users' chats. */
export async function listUnansweredQuestions(
  deps: Deps,
  actor: Actor,
  { limit, skip, ...query }: QuestionQuery & PageQuery,
) {
  const filter = toQuestionFilter(deps, query)
  const rows = await listQuestions(deps.db, filter, { limit, skip })
  const total = await countQuestions(deps.db, filter)
  const { range, ...filters } = filter
  await auditRead(deps, actor, 'analytics.read', {
    ...range,
    ...filters,
    limit,
    skip,
    questions: rows.length,
  })
  return toPage(rows.map(presentQuestion), total, limit)
}

/** If two users mark a question at once, the first wins. Only an actual change is recorded in the audit log. */
export function resolveQuestion(deps: Deps, actor: Actor, id: string, isResolved: boolean) {
  return deps.db.transaction().execute(async (tx) => {
    const channelId = await markQuestion(tx, id, isResolved ? { at: deps.now(), by: actor.userId } : null)
    const resolution = await findResolution(tx, id)
    if (!resolution) throw notFound()
    if (channelId !== undefined)
      await audit(deps, tx, {
        actor,
        action: isResolved ? 'question.resolved' : 'question.reopened',
        object: { type: 'question', id },
        after: { channelId },
      })
    return { resolved: presentResolution(resolution.resolved_at, resolution.resolver_name) }
  })
}
