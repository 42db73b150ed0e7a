import type { DayRange, QuestionState, UnansweredReason } from '@lyceum/contract/analytics'
import { addDays, startOfDay } from '@lyceum/contract/analytics'
import type { Executor } from '#db/client.ts'

export interface QuestionFilter {
  range: DayRange
  channelId: string | undefined
  state: QuestionState
}

export interface QuestionRow {
  id: string
  text: string
  channel_id: string
  channel_name: string
  asked_at: number
  reason: UnansweredReason
  resolved_at: number | null
  resolver_name: string | null
}

function filterQuestions(db: Executor, { range, channelId, state }: QuestionFilter) {
  const questions = db
    .selectFrom('unanswered_questions')
    .where('unanswered_questions.asked_at', '>=', startOfDay(range.from))
    .where('unanswered_questions.asked_at', '<', startOfDay(addDays(range.to, 1)))
    .where('unanswered_questions.resolved_at', state === 'open' ? 'is' : 'is not', null)
  return channelId === undefined
    ? questions
    : questions.where('unanswered_questions.channel_id', '=', channelId)
}

export async function countQuestions(db: Executor, filter: QuestionFilter): Promise<number> {
  const { questions } = await filterQuestions(db, filter)
    .select((eb) => eb.fn.countAll<number>().as('questions'))
    .executeTakeFirstOrThrow()
  return questions
}

/** Loads the questions of a page after their ids are known, so that the texts of skipped ones are never read. */
async function loadQuestions(db: Executor, ids: readonly { message_id: string }[]): Promise<QuestionRow[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('unanswered_questions as question')
    .innerJoin('messages', 'messages.id', 'question.message_id')
    .innerJoin('channels', 'channels.id', 'question.channel_id')
    .leftJoin('users', (join) =>
      join.onRef('users.id', '=', 'question.resolved_by').on('users.deleted_at', 'is', null),
    )
    .select([
      'question.message_id as id',
      'messages.content as text',
      'question.channel_id',
      'channels.name as channel_name',
      'question.asked_at',
      'question.reason',
      'question.resolved_at',
      'users.name as resolver_name',
    ])
    .where(
      'question.message_id',
      'in',
      ids.map(({ message_id }) => message_id),
    )
    .orderBy('question.asked_at', 'desc')
    .orderBy('question.message_id', 'desc')
    .execute()
}

export function selectQuestionPage(
  db: Executor,
  filter: QuestionFilter,
  { limit, skip }: { limit: number; skip: number },
) {
  return filterQuestions(db, filter)
    .select('message_id')
    .orderBy('asked_at', 'desc')
    .orderBy('message_id', 'desc')
    .limit(limit)
    .offset(skip)
}

export async function listQuestions(
  db: Executor,
  filter: QuestionFilter,
  page: { limit: number; skip: number },
): Promise<QuestionRow[]> {
  return loadQuestions(db, await selectQuestionPage(db, filter, page).execute())
}

/** The questions after `last` in list order. */
export async function listQuestionsAfter(
  db: Executor,
  filter: QuestionFilter,
  last: { asked_at: number; id: string } | null,
  limit: number,
): Promise<QuestionRow[]> {
  const questions = filterQuestions(db, filter)
  const remaining =
    last === null
      ? questions
      : questions.where((eb) =>
          eb.and([
            eb('asked_at', '<=', last.asked_at),
            eb.or([eb('asked_at', '<', last.asked_at), eb('message_id', '<', last.id)]),
          ]),
        )
  return loadQuestions(
    db,
    await remaining
      .select('message_id')
      .orderBy('asked_at', 'desc')
      .orderBy('message_id', 'desc')
      .limit(limit)
      .execute(),
  )
}

/** Resolves or reopens a question. Returns its channel, or undefined when nothing changed or it does not exist. */
export async function markQuestion(
  db: Executor,
  id: string,
  resolved: { at: number; by: string } | null,
): Promise<string | undefined> {
  const marked = await db
    .updateTable('unanswered_questions')
    .set({ resolved_at: resolved?.at ?? null, resolved_by: resolved?.by ?? null })
    .where('message_id', '=', id)
    .where('resolved_at', resolved === null ? 'is not' : 'is', null)
    .returning('channel_id')
    .executeTakeFirst()
  return marked?.channel_id
}

export function findResolution(
  db: Executor,
  id: string,
): Promise<{ resolved_at: number | null; resolver_name: string | null } | undefined> {
  return db
    .selectFrom('unanswered_questions')
    .leftJoin('users', (join) =>
      join.onRef('users.id', '=', 'unanswered_questions.resolved_by').on('users.deleted_at', 'is', null),
    )
    .select(['unanswered_questions.resolved_at', 'users.name as resolver_name'])
    .where('message_id', '=', id)
    .executeTakeFirst()
}
