import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorCode, errors } from '@lyceum/contract/errors'
import type { Tx } from '#db/client.ts'
import type { Deps } from '../../../deps.ts'
import { countReplies, type ReplyEnding, updateUnansweredList } from '../../analytics/count-usage.ts'
import { getCitedDocumentIds } from '../../answering/stored-citations.ts'
import { emitEvent } from '../../webhooks/emit.ts'
import { findMessage, type MessageRow } from '../messages/message-store.ts'
import { presentFromMemory, presentMessages } from '../messages/present.ts'
import { toPreview } from '../messages/preview.ts'
import { createViewer, type Viewer } from '../messages/viewer.ts'
import { advanceChat, lockChat } from '../store.ts'
import { requestTitle } from '../titles/name-chat.ts'
import type { NewReplyEvent } from './event-log.ts'
import { endReply, insertUsage } from './reply-store.ts'
import type { Outcome, ReplyWriter } from './reply-writer.ts'
import { buildUsageRow } from './usage-row.ts'

/** Milliseconds between attempts to save: short at first, because most failures pass at once. */
const firstRetryDelay = 200
const retryDelay = 1000
/** An error that lasts this long will not pass, in milliseconds. */
const retryPeriod = 300_000
/** Readers do not wait longer than this for the final state to be saved, in milliseconds. */
const readersWait = 8000

/** One row per model call. Created once with fixed ids, so that a retry finds the rows an earlier attempt stored. */
function buildUsageRows(deps: Deps, { calls, task }: ReplyWriter) {
  const owner = { messageId: task.reply.id, userId: task.actor.userId, channelId: task.channel.id }
  return calls.map((call) => buildUsageRow(deps, call, owner))
}

type UsageRows = ReturnType<typeof buildUsageRows>

function buildReplyEnding(row: MessageRow, { task, stats }: ReplyWriter, { state }: Outcome): ReplyEnding {
  return {
    state,
    mode: row.mode,
    timeToFirstWord:
      stats.firstTextAt === null ? null : Math.max(0, stats.firstTextAt - task.reply.created_at),
    // Only the new citations: those of the interrupted reply were counted when it ended.
    citedDocuments: getCitedDocumentIds(row).slice(task.interrupted?.citations.length ?? 0),
  }
}

/**
 * Updates analytics and quota usage in the transaction that saves the reply. `row` is undefined if the end of the reply
 * was already recorded or its chat was deleted; then only token usage is counted.
 */
async function countFinishedReply(
  tx: Tx,
  writer: ReplyWriter,
  usage: UsageRows,
  row: MessageRow | undefined,
  outcome: Outcome,
): Promise<void> {
  const { actor, channel, question, isNewQuestion } = writer.task
  const { unanswered } = writer.stats
  const askedQuestion = { id: question.id, channelId: channel.id, askedAt: question.created_at }
  if (row && (outcome.state === 'complete' || unanswered !== null))
    await updateUnansweredList(tx, { ...askedQuestion, isRepeated: !isNewQuestion, reason: unanswered })
  await countReplies(tx, [
    {
      userId: actor.userId,
      channelId: channel.id,
      askedAt: writer.task.reply.created_at,
      model: row?.actual_model ?? null,
      calls: usage.map(({ purpose, actual_model, input, output }) => ({
        ...{ model: actual_model, input, output },
        isCheck: purpose === 'judge',
      })),
      // An earlier attempt may have counted the calls, and so the verdicts.
      verdicts: usage.some(({ purpose }) => purpose === 'judge') ? writer.stats.verdicts : null,
      ending: row ? buildReplyEnding(row, writer, outcome) : null,
    },
  ])
}

/** Tells webhooks of a new question without an answer. They do not learn the question, which belongs to its chat. */
async function emitUnanswered(deps: Deps, tx: Tx, { task, stats }: ReplyWriter): Promise<void> {
  if (stats.unanswered === null || !task.isNewQuestion) return
  await emitEvent(deps, tx, {
    type: 'question.unanswered',
    channelId: task.channel.id,
    path: '/admin/analytics?tab=questions',
    data: { question: { id: task.question.id }, reason: stats.unanswered },
  })
}

/**
 * Tries once to save the final state, and returns the stored row. `endReply` finds no row if another process ended the
 * reply, if the chat was deleted, or if an earlier attempt committed and its acknowledgement was lost.
 */
function trySaveFinalState(
  deps: Deps,
  writer: ReplyWriter,
  outcome: Outcome,
  usage: UsageRows,
): Promise<MessageRow | undefined> {
  return deps.db.transaction().execute(async (tx) => {
    const { id, chat_id } = writer.task.reply
    await lockChat(tx, chat_id)
    const newUsage = await insertUsage(tx, usage)
    const row = await endReply(tx, deps.nodeId, id, writer.getFinalColumns(outcome))
    if (!row) {
      await countFinishedReply(tx, writer, newUsage, row, outcome)
      return findMessage(tx, chat_id, id)
    }
    const now = deps.now()
    const last =
      row.content === ''
        ? null
        : ({ role: 'assistant', preview: toPreview('assistant', row.content, row.mode), at: now } as const)
    await advanceChat(tx, chat_id, { added: 0, last, now })
    await requestTitle(deps, tx, writer.task, row)
    await emitUnanswered(deps, tx, writer)
    await countFinishedReply(tx, writer, newUsage, row, outcome)
    return row
  })
}

/**
 * Saves the final state of a reply. While the database is away or the disk is full, tries again and again: the text
 * exists only in this process. Returns the stored row, in which another process may have ended the reply differently;
 * undefined if the chat was deleted.
 */
async function saveFinalState(
  deps: Deps,
  writer: ReplyWriter,
  outcome: Outcome,
  givingUp: AbortSignal,
): Promise<MessageRow | undefined> {
  const usage = buildUsageRows(deps, writer)
  const messageId = writer.task.reply.id
  const begun = performance.now()
  for (let delay = firstRetryDelay; ; delay = retryDelay) {
    try {
      return await trySaveFinalState(deps, writer, outcome, usage)
    } catch (error) {
      if (givingUp.aborted || performance.now() - begun > retryPeriod) throw error
      if (delay === firstRetryDelay)
        deps.log.warn({ err: error, messageId }, 'could not save the final state of a reply; retrying')
    }
    await sleep(delay, undefined, { signal: givingUp }).catch(() => undefined)
  }
}

async function presentReply(deps: Deps, viewer: Viewer, row: MessageRow) {
  try {
    const [shown] = await presentMessages(deps, viewer, [row])
    return shown ?? presentFromMemory(viewer, row)
  } catch (error) {
    deps.log.warn({ err: error, messageId: row.id }, 'could not load a reply; showing it from memory')
    return presentFromMemory(viewer, row)
  }
}

/** The final event of a reply, built from its row. */
export async function buildFinalEvent(deps: Deps, viewer: Viewer, row: MessageRow): Promise<NewReplyEvent> {
  const reply = await presentReply(deps, viewer, row)
  if (row.state === 'complete' || row.state === 'stopped') return { type: 'done', reply }
  const code = row.error ?? 'chat.interrupted'
  const text = code in errors ? errors[code as ErrorCode].message : ''
  return { type: 'error', code, message: text, reply }
}

/**
 * Saves the final state of a reply, then sends it to readers. If saving takes too long, readers are told that the reply
 * was interrupted, and it is saved later. Never throws: the sweep ends replies that could not be saved.
 */
export async function finishReply(
  deps: Deps,
  writer: ReplyWriter,
  outcome: Outcome,
  givingUp: AbortSignal,
): Promise<void> {
  const { task, log } = writer
  const viewer = createViewer(task.actor, task.channel)

  function endReaders(event: NewReplyEvent): void {
    if (log.isClosed) return
    log.add(event)
    log.close()
  }

  function endReadersUnsaved(): void {
    const code = 'chat.interrupted'
    const { message } = errors[code]
    const row = { ...task.reply, ...writer.getFinalColumns({ state: 'interrupted', code }) }
    endReaders({ type: 'error', code, message, reply: presentFromMemory(viewer, row) })
  }

  deps.faults.reach('reply.written')
  const timer = setTimeout(endReadersUnsaved, readersWait)
  try {
    const row = await saveFinalState(deps, writer, outcome, givingUp)
    deps.faults.reach('reply.committed')
    const code = 'not_found'
    const deleted = { ...task.reply, ...writer.getFinalColumns({ state: 'interrupted', code }) }
    endReaders(await buildFinalEvent(deps, viewer, row ?? deleted))
  } catch (error) {
    deps.log.error({ err: error, messageId: task.reply.id }, 'could not save the final state of a reply')
    endReadersUnsaved()
  } finally {
    clearTimeout(timer)
  }
}
