import { setTimeout as sleep } from 'node:timers/promises'
import type { Tx } from '#db/client.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { LostAccess } from '../../../lifecycle.ts'
import { countReplies } from '../../analytics/count-usage.ts'
import { getCitedDocumentIds } from '../../answering/stored-citations.ts'
import { type AttachmentRow, listAttachments } from '../attachments/attachment-store.ts'
import type { ChatTurn } from '../attachments/find-pictures.ts'
import { findPathTo, type MessageRow } from '../messages/message-store.ts'
import { presentFromMemory, presentMessages } from '../messages/present.ts'
import { toPreview } from '../messages/preview.ts'
import { createViewer } from '../messages/viewer.ts'
import { advanceChat, findChatOwners, lockChat, lockChats } from '../store.ts'
import { createExpectedReplies } from './expected-replies.ts'
import { finishReply } from './finish-reply.ts'
import { createPieceQueue } from './piece-queue.ts'
import { createReplyHeartbeat } from './reply-heartbeat.ts'
import { createReplyJournal } from './reply-journal.ts'
import { createPublishedJournal, createReplyPublisher } from './reply-publisher.ts'
import {
  type EndedReply,
  findLostReplies,
  findStoredReplies,
  type LostReplyFilter,
  setInterrupted,
  setStopped,
} from './reply-store.ts'
import { createReplyWriter, ReplyCancelled, type ReplyTask, type ReplyWriter } from './reply-writer.ts'
import { restoreFromEventLog, restoreFromJournal } from './restore-replies.ts'

/** How long readers can resume a finished reply from any event, in milliseconds. */
const finishedReplyTtl = 180_000
const maxFinishedReplies = 200
const maxRunningReplies = 500
const historyLength = 40
/** How long saving is retried when the server stops, in milliseconds. */
const stopTimeout = 8000
/** How long another node may take to stop its reply before this one ends it, in milliseconds. */
const stopElsewhereTimeout = 1500
const stopCheckInterval = 25

/** The replies of this process: those being written, and recently finished ones for readers that resume. */
interface ReplyManager {
  /** Throws when this node accepts no more replies. Called before anything is stored. */
  requireCapacity(): void
  /** Called before the COMMIT that stores the reply, in case its answer is lost. */
  expect(task: ReplyTask): void
  /** Starts a stored reply, unless it runs already. */
  start(task: ReplyTask): ReplyWriter
  /** Starts a stored reply that was expected. */
  startExpected(messageId: string): void
  /** A reply that is running on this node or finished recently. */
  find(messageId: string): ReplyWriter | undefined
  /** Resolves to true once readers have the final state; to false if the reply is not running on this node. */
  end(messageId: string, reason: ReplyCancelled): Promise<boolean>
  /** Ends the reply of a deleted chat. Does not wait, because there is no row left to save. */
  endChat(chatId: string): void
  /** Resolves once the readers of all affected replies have the final states. */
  endAffected(lost: LostAccess): Promise<void>
  /** Whether this process writes the reply, or will. */
  isAlive(messageId: string): boolean
  stop(): Promise<void>
}

function isAffected({ actor, channel }: ReplyTask, lost: LostAccess): boolean {
  if (lost.channelId !== undefined && lost.channelId !== channel.id) return false
  if ('userIds' in lost) return lost.userIds.has(actor.userId)
  return !('userId' in lost) || lost.userId === actor.userId
}

async function loadHistory(deps: Deps, { question, history }: ReplyTask): Promise<readonly ChatTurn[]> {
  if (history !== null) return history
  if (question.parent_id === null) return []
  const rows = await findPathTo(deps.db, question.chat_id, question.parent_id, historyLength)
  return rows.flatMap(({ role, content, parent_id }) =>
    role === 'system' || content.trim() === '' ? [] : [{ role, content, parentId: parent_id }],
  )
}

/**
 * Adds the first event. If the messages cannot be loaded, it shows the rows from memory: the reply is already stored
 * and must not fail because of that.
 */
async function addAcceptedEvent(
  deps: Deps,
  { task, log }: ReplyWriter,
  attachments: Promise<readonly AttachmentRow[]>,
): Promise<void> {
  const viewer = createViewer(task.actor, task.channel)
  const rows = task.isNewQuestion ? [task.question, task.reply] : [task.reply]
  const shown = await presentMessages(deps, viewer, rows, attachments).catch(() =>
    rows.map((row) => presentFromMemory(viewer, row)),
  )
  const [message = null, reply] = task.isNewQuestion ? shown : [null, ...shown]
  log.add({ type: 'accepted', message, reply: reply ?? presentFromMemory(viewer, task.reply) })
  log.show(log.last)
}

function createReplyManager(deps: Deps): ReplyManager {
  const running = new Map<string, ReplyWriter>()
  const completions = new Map<string, Promise<void>>()
  const finished = new Map<string, { writer: ReplyWriter; timer: NodeJS.Timeout }>()
  const publisher =
    deps.clusterLinks &&
    createReplyPublisher({
      eventLog: deps.clusterLinks.eventLog,
      show: (messageId, seq) => find(messageId)?.log.show(seq),
      log: deps.log,
    })
  const file = createReplyJournal(deps)
  const journal = publisher ? createPublishedJournal(file, publisher) : file
  const pieces = createPieceQueue(journal)
  const heartbeat = createReplyHeartbeat(deps, running, journal)
  const expected = createExpectedReplies(deps, start)
  const givingUp = new AbortController()
  let isStopping = false
  deps.clusterLinks?.wake.onMessage((kind, messageId) => {
    if (kind === 'save') heartbeat.save()
    else running.get(messageId)?.end(new ReplyCancelled('stopped', null))
  })

  function forget(messageId: string): void {
    clearTimeout(finished.get(messageId)?.timer)
    finished.delete(messageId)
  }

  function keepFinished(messageId: string, writer: ReplyWriter): void {
    const [oldest] = finished.keys()
    if (oldest !== undefined && finished.size >= maxFinishedReplies) forget(oldest)
    const timer = setTimeout(() => forget(messageId), finishedReplyTtl)
    timer.unref()
    finished.set(messageId, { writer, timer })
  }

  /** The reply stays in `running` until its final state is saved, so that its lease is extended while saving is retried. */
  async function run(writer: ReplyWriter): Promise<void> {
    const { id, chat_id } = writer.task.reply
    const attachments = listAttachments(deps.db, chat_id)
    // A failure is handled where they are needed.
    attachments.catch(() => undefined)
    await addAcceptedEvent(deps, writer, attachments)
    const history = await loadHistory(deps, writer.task).catch((error: unknown) => {
      deps.log.warn(
        { err: error, messageId: id },
        'could not load the history of a chat; replying without it',
      )
      return []
    })
    await finishReply(deps, writer, await writer.write(history, attachments), givingUp.signal)
    running.delete(id)
    completions.delete(id)
    if (!isStopping) keepFinished(id, writer)
  }

  /** Nothing in `run` should throw. If something does, this ends the readers, and the sweep ends the row. */
  function launch(writer: ReplyWriter): Promise<void> {
    return run(writer).catch((error: unknown) => {
      const { id } = writer.task.reply
      deps.log.error({ err: error, messageId: id }, 'a reply ended without a stored result')
      running.delete(id)
      completions.delete(id)
      writer.log.close()
    })
  }

  function endAll(reason: ReplyCancelled, matches: (writer: ReplyWriter) => boolean): void {
    for (const writer of running.values()) if (matches(writer)) writer.end(reason)
  }

  function start(task: ReplyTask): ReplyWriter {
    const { id } = task.reply
    expected.remove(id)
    const known = find(id)
    if (known) return known
    const writer = createReplyWriter(deps, task, { journal, pieces })
    running.set(id, writer)
    completions.set(id, launch(writer))
    if (publisher)
      void writer.log.closed.then(() => publisher.add([{ id, last_event: writer.log.last, isEnd: true }]))
    heartbeat.start()
    // The server may have begun to stop while the request was being stored.
    if (isStopping) writer.end(new ReplyCancelled('interrupted', 'chat.interrupted'))
    return writer
  }

  function find(messageId: string): ReplyWriter | undefined {
    return running.get(messageId) ?? finished.get(messageId)?.writer
  }

  return {
    requireCapacity() {
      if (isStopping || running.size >= maxRunningReplies)
        throw new AppError('server.busy', { retryAfter: 5 })
    },
    expect: expected.add,
    start,
    startExpected(messageId) {
      const task = expected.find(messageId)
      if (task) start(task)
    },
    find,
    async end(messageId, reason) {
      const writer = running.get(messageId)
      writer?.end(reason)
      await writer?.log.closed
      return writer !== undefined
    },
    endChat: (chatId) =>
      endAll(new ReplyCancelled('interrupted', 'not_found'), ({ task }) => task.reply.chat_id === chatId),
    async endAffected(lost) {
      const affected = [...running].filter(([, { task }]) => isAffected(task, lost))
      // Without a user, the channel is being deleted: its members must not try again.
      const code = 'userId' in lost || 'userIds' in lost ? 'chat.interrupted' : 'not_found'
      for (const [, writer] of affected) writer.end(new ReplyCancelled('interrupted', code))
      await Promise.all(affected.map(([, writer]) => writer.log.closed))
    },
    isAlive: (messageId) => running.has(messageId) || expected.find(messageId) !== undefined,
    async stop() {
      isStopping = true
      expected.stop()
      endAll(new ReplyCancelled('interrupted', 'chat.interrupted'), () => true)
      const timer = setTimeout(() => givingUp.abort(), stopTimeout)
      await Promise.all(completions.values())
      clearTimeout(timer)
      await publisher?.flush()
      heartbeat.stop()
      if (running.size === 0) journal.rotate()()
      for (const messageId of [...finished.keys()]) forget(messageId)
    },
  }
}

/** One manager per server. Tests run several servers in one process. */
const managers = new WeakMap<Deps, ReplyManager>()

export function getReplyManager(deps: Deps): ReplyManager {
  const known = managers.get(deps)
  if (known) return known
  const created = createReplyManager(deps)
  managers.set(deps, created)
  return created
}

/** Counts replies that end without their writer, which alone knows their token usage and time to first word. */
async function countEndedReplies(tx: Tx, rows: readonly EndedReply[]): Promise<void> {
  if (rows.length === 0) return
  const owners = await findChatOwners(
    tx,
    rows.map(({ chat_id }) => chat_id),
  )
  const endedReplies = rows.flatMap((row) => {
    const owner = owners.get(row.chat_id)
    const ending = {
      state: row.state === 'stopped' ? 'stopped' : 'interrupted',
      mode: row.mode,
      timeToFirstWord: null,
      citedDocuments: getCitedDocumentIds(row),
    } as const
    return owner ? [{ ...owner, askedAt: row.created_at, model: row.actual_model, calls: [], ending }] : []
  })
  await countReplies(tx, endedReplies)
}

/** Shows the text of ended replies as the preview of their chats, and counts them. */
async function recordEndedReplies(tx: Tx, rows: readonly EndedReply[]): Promise<number> {
  for (const { chat_id, content, mode, created_at } of rows) {
    if (content === '') continue
    const last = {
      role: 'assistant',
      preview: toPreview('assistant', content, mode),
      at: created_at,
    } as const
    await advanceChat(tx, chat_id, { added: 0, last, now: created_at })
  }
  await countEndedReplies(tx, rows)
  return rows.length
}

/**
 * Ends replies that no process writes any more and keeps their text: those whose lease expired, and those of a node,
 * unless they are running here. The node is this one, or another one that is known to be dead. Returns how many there
 * were.
 */
export async function interruptLostReplies(
  deps: Deps,
  scope: Partial<Omit<LostReplyFilter, 'now'>> = {},
): Promise<number> {
  const filter = { nodeId: deps.nodeId, ...scope, now: deps.now() }
  const candidates = await findLostReplies(deps.db, filter)
  // Asked after reading the rows, because a reply is expected before its row can be read. Also skips running replies
  // whose leases only look expired because the clock jumped forward.
  const lost = candidates.filter(({ id }) => !getReplyManager(deps).isAlive(id))
  if (lost.length === 0) return 0
  await restoreFromEventLog(deps, lost)
  const chatIds = lost.map(({ chat_id }) => chat_id)
  const ids = lost.map(({ id }) => id)
  return deps.db.transaction().execute(async (tx) => {
    // Lock chats before their messages: see `lockChat`.
    await lockChats(tx, chatIds)
    return recordEndedReplies(tx, await setInterrupted(tx, filter, ids))
  })
}

/** Ends the replies of another node that has died. */
export async function interruptRepliesOf(deps: Deps, nodeId: string): Promise<void> {
  const count = await interruptLostReplies(deps, { nodeId })
  if (count > 0) deps.log.info({ count }, 'marked the replies of a stopped process as interrupted')
}

/** Runs when a process starts, for the node that used its data folder before: first restores what its replies had shown. */
export async function recoverReplies(deps: Deps, lastNodeId: string): Promise<void> {
  await restoreFromJournal(deps, lastNodeId)
  await interruptRepliesOf(deps, lastNodeId)
}

/** Saves running replies as interrupted and ends their readers, for a graceful stop. */
export function stopReplies(deps: Deps): Promise<void> {
  return getReplyManager(deps).stop()
}

/**
 * Ends the running replies of a user who lost access, or of a channel that is being deleted, and keeps their text.
 * Other nodes check access themselves and end their replies a few seconds later.
 */
export function stopAffectedReplies(deps: Deps, lost: LostAccess): Promise<void> {
  return getReplyManager(deps).endAffected(lost)
}

/** Whether the node that writes the reply has stopped it in time, and so with all of its text. */
async function stopElsewhere({ db, clusterLinks }: Deps, owner: string, id: string): Promise<boolean> {
  if (!clusterLinks) return false
  await clusterLinks.wake.send(owner, 'stop', id)
  for (const begun = performance.now(); performance.now() - begun < stopElsewhereTimeout; ) {
    if ((await findStoredReplies(db, [id])).length === 0) return true
    await sleep(stopCheckInterval)
  }
  return false
}

/** Stops a reply on whichever node it runs. Does nothing if it has ended. */
export async function stopReply(deps: Deps, reply: MessageRow): Promise<void> {
  const { id, chat_id, lease_owner } = reply
  if (await getReplyManager(deps).end(id, new ReplyCancelled('stopped', null))) return
  if (lease_owner !== null && (await stopElsewhere(deps, lease_owner, id))) return
  await restoreFromEventLog(deps, [reply])
  await deps.db.transaction().execute(async (tx) => {
    await lockChat(tx, chat_id)
    await recordEndedReplies(tx, await setStopped(tx, id))
  })
}
