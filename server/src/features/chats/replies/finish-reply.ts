import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorCode, errors } from '@lyceum/contract/errors'
import { uuidv7 } from 'uuidv7'
import type { Tx } from '#db/client.ts'
import { extractiveModel, getCallUsage } from '#providers/assistant/model-calls.ts'
import type { Deps } from '../../../deps.ts'
import { countReply, type ReplyEnding, updateUnansweredList } from '../../analytics/count-usage.ts'
import { getCitedDocumentIds } from '../../answering/stored-citations.ts'
import { findMessage, type MessageRow } from '../messages/message-store.ts'
import { presentFromMemory, presentMessages } from '../messages/present.ts'
import { toPreview } from '../messages/preview.ts'
import { advanceChat, lockChat } from '../store.ts'
import type { NewReplyEvent } from './event-log.ts'
import { endReply, insertUsage } from './reply-store.ts'
import type { Outcome, ReplyWriter } from './reply-writer.ts'

/** Milliseconds between attempts to save, so that a short database outage does not lose the final state of a reply. */
const retryDelays = [200, 1000, 3000, 8000]

/** One row per model call. Created once with fixed ids, so that a retry finds the rows an earlier attempt stored. */
function buildUsageRows(deps: Deps, { calls, task }: ReplyWriter) {
  return calls.map((call) => {
    const { input, cached, cacheWrite, output, reasoning, estimated } = getCallUsage(call)
    return {
      id: uuidv7(),
      message_id: task.reply.id,
      user_id: task.actor.userId,
      channel_id: task.channel.id,
      purpose: call.purpose,
      requested_model: call.requested,
      actual_model: call.actual,
      input,
      cached,
      cache_write: cacheWrite,
      output,
      reasoning,
      // Extractive replies are free; the price of a model call is unknown.
      cost: call.actual === extractiveModel ? 0 : null,
      estimated: estimated ? (1 as const) : (0 as const),
      created_at: deps.now(),
    }
  })
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
  await countReply(tx, {
    userId: actor.userId,
    channelId: channel.id,
    askedAt: writer.task.reply.created_at,
    model: row?.actual_model ?? null,
    calls: usage.map(({ actual_model, input, output }) => ({ model: actual_model, input, output })),
    ending: row ? buildReplyEnding(row, writer, outcome) : null,
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
      row.content === '' ? null : ({ role: 'assistant', preview: toPreview(row.content), at: now } as const)
    await advanceChat(tx, chat_id, { added: 0, last, now })
    await countFinishedReply(tx, writer, newUsage, row, outcome)
    return row
  })
}

/**
 * Saves the final state of a reply, with retries, before any reader sees it. Returns the stored row, in which another
 * process may have ended the reply differently; undefined if the chat was deleted.
 */
async function saveFinalState(
  deps: Deps,
  writer: ReplyWriter,
  outcome: Outcome,
): Promise<MessageRow | undefined> {
  const usage = buildUsageRows(deps, writer)
  for (const delay of [...retryDelays, null]) {
    try {
      return await trySaveFinalState(deps, writer, outcome, usage)
    } catch (error) {
      if (delay === null) throw error
      deps.log.warn(
        { err: error, messageId: writer.task.reply.id },
        'could not save the final state of a reply; retrying',
      )
      await sleep(delay)
    }
  }
  return undefined
}

async function presentReply(deps: Deps, channelId: string, row: MessageRow) {
  try {
    const [shown] = await presentMessages(deps, channelId, [row])
    return shown ?? presentFromMemory(deps, row)
  } catch (error) {
    deps.log.warn({ err: error, messageId: row.id }, 'could not load a reply; showing it from memory')
    return presentFromMemory(deps, row)
  }
}

/** The final event of a reply, built from its row. */
export async function buildFinalEvent(
  deps: Deps,
  channelId: string,
  row: MessageRow,
): Promise<NewReplyEvent> {
  const reply = await presentReply(deps, channelId, row)
  if (row.state === 'complete' || row.state === 'stopped') return { type: 'done', reply }
  const code = row.error ?? 'chat.interrupted'
  const text = code in errors ? errors[code as ErrorCode].message : ''
  return { type: 'error', code, message: text, reply }
}

/**
 * Saves the final state of a reply and sends it to readers. Never throws: the sweep ends replies that could not be
 * saved.
 */
export async function finishReply(deps: Deps, writer: ReplyWriter, outcome: Outcome): Promise<void> {
  const { task, log } = writer
  deps.faults.reach('reply.written')
  let row: MessageRow | undefined
  let code: ErrorCode = 'not_found'
  try {
    row = await saveFinalState(deps, writer, outcome)
  } catch (error) {
    deps.log.error({ err: error, messageId: task.reply.id }, 'could not save the final state of a reply')
    code = 'internal'
  }
  deps.faults.reach('reply.committed')
  // Without a stored row, readers get the final state from memory.
  const ended = row ?? {
    ...task.reply,
    ...writer.getFinalColumns({ state: 'interrupted', code }),
    lease_owner: null,
    lease_until: null,
  }
  log.add(await buildFinalEvent(deps, task.channel.id, ended))
  log.close()
}
