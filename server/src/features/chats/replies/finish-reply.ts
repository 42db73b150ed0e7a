import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorCode, errors } from '@lyceum/contract/errors'
import { uuidv7 } from 'uuidv7'
import type { Tx } from '#db/client.ts'
import { extractiveModel, usageOfCall } from '#providers/assistant/model-calls.ts'
import type { Deps } from '../../../deps.ts'
import { countReply, type ReplyEnding, updateUnansweredList } from '../../analytics/count.ts'
import { citedDocuments } from '../../answering/stored-citations.ts'
import { findMessage, type MessageRow } from '../messages/message-store.ts'
import { presentMessages, presentRunning } from '../messages/present.ts'
import { previewOf } from '../messages/preview.ts'
import { advanceChat, lockChat } from '../store.ts'
import type { NewReplyEvent } from './event-log.ts'
import { endReply, insertUsage } from './reply-store.ts'
import type { Outcome, ReplyWriter } from './reply-writer.ts'

/** Milliseconds between attempts to save, so that a short database outage does not lose the end of a reply. */
const retryDelays = [200, 1000, 3000, 8000]

/** One row per model call. Created once with fixed ids, so that a retry finds the rows an earlier attempt stored. */
function usageRows(deps: Deps, { calls, task }: ReplyWriter) {
  return calls.map((call) => {
    const { input, cached, cacheWrite, output, reasoning, estimated } = usageOfCall(call)
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

type UsageRows = ReturnType<typeof usageRows>

function endingOf(row: MessageRow, { task, noted }: ReplyWriter, { state }: Outcome): ReplyEnding {
  return {
    state,
    mode: row.mode,
    firstWord: noted.begunAt === null ? null : Math.max(0, noted.begunAt - task.reply.created_at),
    // Only the new citations: those of the interrupted reply were counted when it ended.
    citedDocuments: citedDocuments(row).slice(task.continued?.citations.length ?? 0),
  }
}

/**
 * Updates analytics and quota usage in the transaction that saves the end. `row` is undefined if the end was recorded
 * before or the chat was deleted; then only token usage is counted.
 */
async function count(
  tx: Tx,
  reply: ReplyWriter,
  usage: UsageRows,
  row: MessageRow | undefined,
  outcome: Outcome,
): Promise<void> {
  const { actor, channel, question, isNewQuestion } = reply.task
  const { unanswered } = reply.noted
  const asked = { id: question.id, channelId: channel.id, askedAt: question.created_at }
  if (row && (outcome.state === 'complete' || unanswered !== null))
    await updateUnansweredList(tx, { ...asked, isRepeated: !isNewQuestion, reason: unanswered })
  await countReply(tx, {
    userId: actor.userId,
    channelId: channel.id,
    askedAt: reply.task.reply.created_at,
    model: row?.actual_model ?? null,
    calls: usage.map(({ actual_model, input, output }) => ({ model: actual_model, input, output })),
    ending: row ? endingOf(row, reply, outcome) : null,
  })
}

/**
 * Saves the end once. `endReply` finds no row if another process ended the reply, if the chat was deleted, or if an
 * earlier attempt committed and its acknowledgement was lost. The stored row is returned in each case.
 */
function commit(
  deps: Deps,
  reply: ReplyWriter,
  outcome: Outcome,
  usage: UsageRows,
): Promise<MessageRow | undefined> {
  return deps.db.transaction().execute(async (tx) => {
    const { id, chat_id } = reply.task.reply
    await lockChat(tx, chat_id)
    const fresh = await insertUsage(tx, usage)
    const row = await endReply(tx, deps.nodeId, id, reply.columns(outcome))
    if (!row) {
      await count(tx, reply, fresh, row, outcome)
      return findMessage(tx, chat_id, id)
    }
    const now = deps.now()
    const last =
      row.content === '' ? null : ({ role: 'assistant', preview: previewOf(row.content), at: now } as const)
    await advanceChat(tx, chat_id, { added: 0, last, now })
    await count(tx, reply, fresh, row, outcome)
    return row
  })
}

/**
 * Saves the end of a reply, with retries, before any reader sees it. Returns the stored row, which another process may
 * have ended differently; undefined if the chat was deleted.
 */
async function saveEnd(deps: Deps, reply: ReplyWriter, outcome: Outcome): Promise<MessageRow | undefined> {
  const usage = usageRows(deps, reply)
  for (const delay of [...retryDelays, null]) {
    try {
      return await commit(deps, reply, outcome, usage)
    } catch (error) {
      if (delay === null) throw error
      deps.log.warn({ err: error, messageId: reply.task.reply.id }, 'the end of a reply is not saved yet')
      await sleep(delay)
    }
  }
  return undefined
}

async function present(deps: Deps, channelId: string, row: MessageRow) {
  try {
    const [shown] = await presentMessages(deps, channelId, [row])
    return shown ?? presentRunning(deps, row)
  } catch (error) {
    deps.log.warn({ err: error, messageId: row.id }, 'a reply is shown as it stands in memory')
    return presentRunning(deps, row)
  }
}

/** The final event of a reply, built from its row. */
export async function finalEvent(deps: Deps, channelId: string, row: MessageRow): Promise<NewReplyEvent> {
  const reply = await present(deps, channelId, row)
  if (row.state === 'complete' || row.state === 'stopped') return { type: 'done', reply }
  const code = row.error ?? 'chat.interrupted'
  const words = code in errors ? errors[code as ErrorCode].message : ''
  return { type: 'error', code, message: words, reply }
}

/** Saves the end of a reply and sends it to readers. Never throws: the sweep ends replies that could not be saved. */
export async function finishReply(deps: Deps, reply: ReplyWriter, outcome: Outcome): Promise<void> {
  const { task, log } = reply
  deps.faults.reach('reply.written')
  let row: MessageRow | undefined
  let code: ErrorCode = 'not_found'
  try {
    row = await saveEnd(deps, reply, outcome)
  } catch (error) {
    deps.log.error({ err: error, messageId: task.reply.id }, 'the end of a reply could not be saved')
    code = 'internal'
  }
  deps.faults.reach('reply.committed')
  // Without a stored row, readers get the end from memory.
  const ended = row ?? {
    ...task.reply,
    ...reply.columns({ state: 'interrupted', code }),
    lease_owner: null,
    lease_until: null,
  }
  log.add(await finalEvent(deps, task.channel.id, ended))
  log.close()
}
