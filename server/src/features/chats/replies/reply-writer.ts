import type { UnansweredReason } from '@lyceum/contract/analytics'
import type { ReplyMode } from '@lyceum/contract/chats'
import type { ErrorCode } from '@lyceum/contract/errors'
import { isDatabaseUnavailable } from '#db/database-unavailable.ts'
import { createCancellableWait } from '#lib/cancellable-wait.ts'
import type { ModelCall } from '#providers/assistant/model-calls.ts'
import { ModelError } from '#providers/assistant/port.ts'
import { SearchUnavailable } from '#providers/passage-index/port.ts'
import type { Actor } from '../../../actor.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { VerdictCounts } from '../../analytics/count-usage.ts'
import { streamAnswer } from '../../answering/answer.ts'
import type { AnswerPart, InterruptedAnswer } from '../../answering/answer-parts.ts'
import type { StoredCitation } from '../../answering/stored-citations.ts'
import type { ChannelForUser } from '../../channels/access.ts'
import type { AttachmentRow } from '../attachments/attachment-store.ts'
import { findAttachedPassages } from '../attachments/find-passages.ts'
import { addChatPictures, type ChatTurn } from '../attachments/find-pictures.ts'
import type { MessageRow } from '../messages/message-store.ts'
import { createEventLog, type EventLog } from './event-log.ts'
import type { Piece, PieceQueue } from './piece-queue.ts'
import type { JournalEntry, ReplyJournal } from './reply-journal.ts'
import type { FinalReplyColumns, Snapshot } from './reply-store.ts'

/** A reply whose row is stored and whose text still has to be written. */
export interface ReplyTask {
  actor: Actor
  channel: ChannelForUser
  /** The user's message. `isNewQuestion` is false if it existed before this reply. */
  question: MessageRow
  isNewQuestion: boolean
  /** The text and citations of the interrupted reply being continued. `reply` already contains them. */
  interrupted: InterruptedAnswer | null
  reply: MessageRow
  /** The turns before the question, if they are not stored; null for those of the chat. */
  history: readonly ChatTurn[] | null
}

/** Why a reply was ended from outside: the user stopped it, the server stops, access was lost, or time ran out. */
export class ReplyCancelled extends Error {
  readonly state: 'stopped' | 'interrupted'
  readonly code: ErrorCode | null

  constructor(state: ReplyCancelled['state'], code: ErrorCode | null) {
    super(`a reply was ${state}`)
    this.state = state
    this.code = code
  }
}

const replyTimeout = 300_000

export interface Outcome {
  state: Exclude<MessageRow['state'], 'streaming' | null>
  code: ErrorCode | null
}

interface ReplyStats {
  /** When the first text arrived; null before that. */
  firstTextAt: number | null
  /** Why the documents did not answer the question; null when they did. */
  unanswered: UnansweredReason | null
  /** What the second check of citations said. */
  verdicts: VerdictCounts
}

export interface ReplyWriter {
  readonly task: ReplyTask
  readonly log: EventLog
  readonly calls: readonly ModelCall[]
  /** Seconds after which a retry may succeed, if the model said so. */
  readonly retryAfter: number | undefined
  /** Facts that analytics counts when the reply ends. */
  readonly stats: Readonly<ReplyStats>
  /** Writes until the answer is complete or something ends it. Never throws. */
  write(history: readonly ChatTurn[], attachments: Promise<readonly AttachmentRow[]>): Promise<Outcome>
  end(reason: ReplyCancelled): void
  /**
   * What to save while the reply runs; null if nothing changed. Text, citations and `last_event` always match, so a
   * reader can load the snapshot and follow the events after it without a gap.
   */
  takeSnapshot(): Snapshot | null
  /** Makes the next `takeSnapshot` return a snapshot, because the last one could not be saved. */
  markDirty(): void
  /** The columns of the finished reply. `last_event` includes the final event, which is added after saving. */
  getFinalColumns(outcome: Outcome): FinalReplyColumns
}

function toOutcome(error: unknown, hasText: boolean): Outcome {
  if (error instanceof ReplyCancelled && error.code !== 'assistant.timeout')
    return { state: error.state, code: error.code }
  const state = hasText ? 'interrupted' : 'failed'
  if (isDatabaseUnavailable(error)) return { state, code: 'server.busy' }
  if (error instanceof SearchUnavailable) return { state, code: 'search.unavailable' }
  const isKnown = error instanceof ModelError || error instanceof AppError || error instanceof ReplyCancelled
  return { state, code: (isKnown && error.code) || 'internal' }
}

/** Removes NUL, which PostgreSQL cannot store, and replaces lone surrogates, which UTF-8 cannot encode. */
export function toStorableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

export function serializeCitations(citations: readonly StoredCitation[]): string | null {
  return citations.length === 0 ? null : JSON.stringify(citations)
}

type Grounding = Pick<MessageRow, 'has_documents' | 'removed_citations' | 'unchecked_citations'>

function pickGrounding({ has_documents, removed_citations, unchecked_citations }: MessageRow): Grounding {
  return { has_documents, removed_citations, unchecked_citations }
}

function addToGrounding(
  grounding: Grounding,
  part: Extract<AnswerPart, { type: 'documents' | 'removed' | 'verdicts' }>,
): Grounding {
  if (part.type === 'documents') return { ...grounding, has_documents: part.hasDocuments ? 1 : 0 }
  if (part.type === 'removed')
    return { ...grounding, removed_citations: (grounding.removed_citations ?? 0) + part.citations }
  const { unchecked } = part.counts
  if (unchecked === 0) return grounding
  return { ...grounding, unchecked_citations: (grounding.unchecked_citations ?? 0) + unchecked }
}

const noVerdicts: VerdictCounts = { confirmed: 0, unconfirmed: 0, unchecked: 0 }

function addVerdicts(one: VerdictCounts, other: VerdictCounts): VerdictCounts {
  return {
    confirmed: one.confirmed + other.confirmed,
    unconfirmed: one.unconfirmed + other.unconfirmed,
    unchecked: one.unchecked + other.unchecked,
  }
}

function logFailure(deps: Deps, messageId: string, error: unknown): void {
  if (error instanceof ReplyCancelled || error instanceof AppError) return
  if (error instanceof ModelError && error.code === 'assistant.cut')
    deps.log.info({ messageId }, 'a reply reached the maximum length of the model')
  else if (error instanceof ModelError)
    deps.log.warn({ code: error.code, detail: error.detail, messageId }, 'the model did not answer')
  else deps.log.error({ err: error, messageId }, 'a reply failed')
}

/** Applies the parts of an answer as they arrive, until the last one or until the signal aborts. */
async function applyAll(
  parts: AsyncGenerator<AnswerPart>,
  apply: (part: AnswerPart) => void,
  signal: AbortSignal,
): Promise<void> {
  const ended = createCancellableWait<never>()
  signal.addEventListener('abort', () => ended.fail(signal.reason), { once: true })
  try {
    signal.throwIfAborted()
    // Ends at once when cancelled, even if the generator is slow to react to the signal.
    for (let next = await ended.wait(parts.next()); !next.done; next = await ended.wait(parts.next()))
      apply(next.value)
  } finally {
    // Not awaited, for the same reason: the generator may still be waiting for the model.
    parts.return(undefined).catch(() => undefined)
  }
}

/**
 * Writes one reply: collects the answer's text and citations, and adds events to its log. The journal holds what is
 * shown until the next snapshot.
 */
export function createReplyWriter(
  deps: Deps,
  task: ReplyTask,
  { journal, pieces }: { journal: ReplyJournal; pieces: PieceQueue },
): ReplyWriter {
  const log = createEventLog({ isHeld: deps.clusterLinks !== null })
  const ending = new AbortController()
  const calls: ModelCall[] = []
  const citations: StoredCitation[] = [...(task.interrupted?.citations ?? [])]
  let mode: ReplyMode | null = task.reply.mode
  let grounding = pickGrounding(task.reply)
  let text = task.reply.content
  let buffered = ''
  let isAtEnd = false
  let isDirty = false
  let retryAfter: number | undefined
  const stats: ReplyStats = { firstTextAt: null, unanswered: null, verdicts: noVerdicts }

  /** The buffered text as one event, except for a high surrogate whose low surrogate has not arrived. */
  function takePiece(): Piece | null {
    const end = !isAtEnd && /[\uD800-\uDBFF]$/.test(buffered) ? buffered.length - 1 : buffered.length
    const piece = toStorableText(buffered.slice(0, end))
    buffered = buffered.slice(end)
    if (piece === '') return null
    stats.firstTextAt ??= deps.now()
    text += piece
    return {
      entry: buildEntry({ text: piece, citations: [] }),
      show() {
        log.add({ type: 'delta', text: piece })
        deps.faults.reach('reply.delta')
      },
    }
  }

  /** For the journal, before the event that shows it is added. */
  function buildEntry(added: Pick<JournalEntry, 'text' | 'citations' | 'status'>): JournalEntry {
    isDirty = true
    const from = text.length - added.text.length
    return { id: task.reply.id, from, ...added, ...getFacts(), last_event: log.last + 1 }
  }

  function showRest(): void {
    isAtEnd = true
    pieces.showNow(takePiece)
  }

  function apply(part: AnswerPart): void {
    switch (part.type) {
      case 'text': {
        buffered += part.text
        pieces.add(takePiece)
        return
      }
      case 'citation':
        pieces.showNow(takePiece)
        citations.push(part.citation)
        journal.append([buildEntry({ text: '', citations: [part.citation] })])
        log.add({ type: 'citation', citation: { ...part.citation, available: true } })
        return
      case 'status':
        pieces.showNow(takePiece)
        journal.append([buildEntry({ text: '', citations: [], status: part.status })])
        log.add({ type: 'status', status: part.status })
        return
      case 'mode':
        mode = part.mode
        stats.unanswered = part.unanswered ?? null
        return
      default:
        if (part.type === 'verdicts') stats.verdicts = addVerdicts(stats.verdicts, part.counts)
        grounding = addToGrounding(grounding, part)
    }
  }

  function getFacts() {
    const answerCall = calls.findLast(({ purpose }) => purpose === 'answer')
    return {
      ...grounding,
      mode,
      requested_model: answerCall?.requested ?? task.reply.requested_model,
      actual_model: answerCall?.actual ?? task.reply.actual_model,
    }
  }

  function getCurrentColumns() {
    return { content: text, citations: serializeCitations(citations), ...getFacts() }
  }

  return {
    task,
    log,
    calls,
    stats,
    get retryAfter() {
      return retryAfter
    },
    async write(history, attachments) {
      const timeout = setTimeout(
        () => ending.abort(new ReplyCancelled('interrupted', 'assistant.timeout')),
        replyTimeout,
      )
      try {
        const { channel, question, reply, actor } = task
        const files = await attachments
        await applyAll(
          streamAnswer(deps, {
            channel,
            userId: actor.userId,
            chatId: question.chat_id,
            parentId: question.parent_id,
            messageId: reply.id,
            question: question.content,
            ...(await addChatPictures(deps, task, history, files)),
            interrupted: task.interrupted,
            attached: await findAttachedPassages(deps, task, history, files),
            signal: ending.signal,
            calls,
          }),
          apply,
          ending.signal,
        )
        showRest()
        if (text.trim() === '') throw new ModelError('assistant.unavailable', 'the answer was empty')
        return { state: 'complete', code: null }
      } catch (error) {
        showRest()
        logFailure(deps, task.reply.id, error)
        if (error instanceof ModelError) retryAfter = error.retryAfter ?? undefined
        return toOutcome(error, text !== '')
      } finally {
        clearTimeout(timeout)
      }
    },
    end: (reason) => ending.abort(reason),
    takeSnapshot() {
      if (!isDirty) return null
      isDirty = false
      return { id: task.reply.id, ...getCurrentColumns(), last_event: log.last }
    },
    markDirty() {
      isDirty = true
    },
    getFinalColumns: ({ state, code }) => ({
      ...getCurrentColumns(),
      last_event: log.last + 1,
      state,
      error: code,
    }),
  }
}
