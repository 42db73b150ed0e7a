import {
  deletedDocument,
  type ExpectedDocument,
  type TestQuestion,
  type TestQuestionInput,
  testQuestionMaximum,
} from '@lyceum/contract/test-questions'
import { uuidv7 } from 'uuidv7'
import type { Executor, Tx } from '#db/client.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { audit } from '../audit/append.ts'
import { requireChannel, requireLockedChannel } from '../channels/access.ts'
import {
  countQuestions,
  deleteQuestion,
  findChannelTitles,
  hasQuestion,
  insertQuestion,
  listQuestions,
  type QuestionRow,
  updateQuestion,
} from './test-bench-store.ts'

/** Requires a channel that answers from its own documents. */
export async function requireDocumentsChannel(db: Executor, actor: Actor, id: string): Promise<void> {
  const channel = await requireChannel(db, actor, id)
  if (channel.use_assistant) throw new AppError('channel.no_documents')
}

function parseList(column: string): string[] {
  return JSON.parse(column) as string[]
}

function parseExpectedIds(row: QuestionRow): string[] {
  return parseList(row.expected)
}

function presentExpected(ids: readonly string[], titles: ReadonlyMap<string, string>): ExpectedDocument[] {
  return ids.map((id) => ({ _id: id, title: titles.get(id) ?? deletedDocument, isDeleted: !titles.has(id) }))
}

function presentQuestion(row: QuestionRow, titles: ReadonlyMap<string, string>): TestQuestion {
  return {
    _id: row.id,
    question: row.question,
    expected: presentExpected(parseExpectedIds(row), titles),
    mustContain: parseList(row.must_contain),
    mustNotContain: parseList(row.must_not_contain),
    isUnanswerable: row.is_unanswerable === 1,
    updatedAt: new Date(row.updated_at).toISOString(),
  }
}

/** The test questions of a channel, with the current titles of their expected documents. */
export async function listPresentedQuestions(deps: Deps, channelId: string): Promise<TestQuestion[]> {
  const rows = await listQuestions(deps.db, channelId)
  const titles = await findChannelTitles(deps.db, channelId, new Set(rows.flatMap(parseExpectedIds)))
  return rows.map((row) => presentQuestion(row, titles))
}

const foreignDocumentMessage = 'Choose documents from this channel'

/** Requires that the expected documents belong to the channel. Returns the columns and the titles. */
async function validateInput(db: Executor, channelId: string, input: TestQuestionInput) {
  const ids = new Set(input.expectedDocumentIds)
  const titles = await findChannelTitles(db, channelId, ids)
  if (titles.size < ids.size)
    throw new AppError('validation.failed', {
      message: foreignDocumentMessage,
      fields: { expectedDocumentIds: foreignDocumentMessage },
    })
  const columns = {
    question: input.question,
    expected: JSON.stringify([...ids]),
    must_contain: JSON.stringify(input.mustContain ?? []),
    must_not_contain: JSON.stringify(input.mustNotContain ?? []),
    is_unanswerable: input.isUnanswerable === true ? (1 as const) : (0 as const),
  }
  return { columns, titles }
}

/** Records the id but not the question, because the audit log never contains text that users wrote. */
function auditQuestionChange(
  deps: Deps,
  tx: Tx,
  actor: Actor,
  { channelId, questionId }: { channelId: string; questionId: string },
  change: 'added' | 'changed' | 'deleted',
): Promise<void> {
  return audit(deps, tx, {
    actor,
    action: 'test-questions.changed',
    object: { type: 'channel', id: channelId },
    after: { questionId, deed: change },
  })
}

/** Records how well a passage must match from now on. Null stands for the usual limit. */
export function auditLearnedLimit(
  deps: Deps,
  tx: Tx,
  actor: Actor,
  channelId: string,
  minMatch: number | null,
): Promise<void> {
  return audit(deps, tx, {
    actor,
    action: 'test-questions.changed',
    object: { type: 'channel', id: channelId },
    after: { minMatch },
  })
}

export async function addTestQuestion(
  deps: Deps,
  actor: Actor,
  channelId: string,
  input: TestQuestionInput,
): Promise<TestQuestion> {
  await requireDocumentsChannel(deps.db, actor, channelId)
  const { columns, titles } = await validateInput(deps.db, channelId, input)
  const now = deps.now()
  const row = { id: uuidv7(), channel_id: channelId, ...columns, created_at: now, updated_at: now }
  await deps.db.transaction().execute(async (tx) => {
    await requireLockedChannel(tx, channelId)
    if ((await countQuestions(tx, channelId)) >= testQuestionMaximum) throw new AppError('test.full')
    if (await hasQuestion(tx, channelId, input.question)) throw new AppError('test.duplicate')
    await insertQuestion(tx, row)
    await auditQuestionChange(deps, tx, actor, { channelId, questionId: row.id }, 'added')
  })
  return presentQuestion(row, titles)
}

export async function changeTestQuestion(
  deps: Deps,
  actor: Actor,
  { channelId, questionId }: { channelId: string; questionId: string },
  input: TestQuestionInput,
): Promise<TestQuestion> {
  await requireDocumentsChannel(deps.db, actor, channelId)
  const { columns, titles } = await validateInput(deps.db, channelId, input)
  const now = deps.now()
  await deps.db.transaction().execute(async (tx) => {
    if (!(await updateQuestion(tx, channelId, questionId, { ...columns, updated_at: now }))) throw notFound()
    await auditQuestionChange(deps, tx, actor, { channelId, questionId }, 'changed')
  })
  const row = { id: questionId, channel_id: channelId, ...columns, created_at: now, updated_at: now }
  return presentQuestion(row, titles)
}

export async function removeTestQuestion(
  deps: Deps,
  actor: Actor,
  { channelId, questionId }: { channelId: string; questionId: string },
): Promise<{ message: string }> {
  await requireDocumentsChannel(deps.db, actor, channelId)
  await deps.db.transaction().execute(async (tx) => {
    if (!(await deleteQuestion(tx, channelId, questionId))) throw notFound()
    await auditQuestionChange(deps, tx, actor, { channelId, questionId }, 'deleted')
  })
  return { message: 'The question was deleted' }
}
