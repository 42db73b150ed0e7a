import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { type chatHistoryApi, exportedMessagesMaximum } from '@lyceum/contract/chat-history'
import type { QueryOf } from '@lyceum/contract/endpoint'
import { uuidv7 } from 'uuidv7'
import type { FileReply } from '#files/file-reply.ts'
import { createPeriodicCheck } from '#lib/periodic-check.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { audit } from '../audit/append.ts'
import { omitEmptyFilters, toAuditError } from './audit-read.ts'
import { type ExportFormat, type ExportHeader, exportFormats } from './export-formats.ts'
import { exportLeases, findAncestors, findMessages, type PathStep } from './export-store.ts'
import { type ChatSelection, getPermittedSearchText, toSelection } from './filters.ts'
import { findChatIds } from './find-chats.ts'
import { presentHistory } from './present.ts'
import { findHistories, type HistoryRow, listChatsAfter, type PlannedChat, type Sort } from './store.ts'

type ExportQuery = QueryOf<typeof chatHistoryApi.export>

const chatsPerPage = 500
const chatsPerBatch = 20
const stepsPerQuery = 200
const messagesPerBatch = 50

interface Plan {
  chatIds: string[]
  messageCount: number
  isCut: boolean
}

function addToPlan(plan: Plan, chats: readonly Pick<PlannedChat, 'id' | 'messageCount'>[]): void {
  for (const { id, messageCount } of chats) {
    if (plan.messageCount >= exportedMessagesMaximum) {
      plan.isCut = true
      return
    }
    plan.chatIds.push(id)
    plan.messageCount += messageCount
  }
}

/** Chooses the chats to export. Only their ids stay in memory while the file is written. */
async function planExport(
  deps: Deps,
  searchText: string | null,
  selection: ChatSelection,
  sort: Sort,
): Promise<Plan> {
  const plan: Plan = { chatIds: [], messageCount: 0, isCut: false }
  if (searchText !== null) {
    const { ids, isCut } = await findChatIds(deps, searchText, selection, sort)
    for (let at = 0; at < ids.length && !plan.isCut; at += chatsPerPage) {
      const rows = await findHistories(deps.db, ids.slice(at, at + chatsPerPage))
      addToPlan(
        plan,
        rows.map(({ id, message_count }) => ({ id, messageCount: message_count })),
      )
    }
    plan.isCut ||= isCut
  } else {
    for (let after: PlannedChat | null = null; !plan.isCut; ) {
      const chats: PlannedChat[] = await listChatsAfter(deps.db, selection, sort, after, chatsPerPage)
      addToPlan(plan, chats)
      after = chats.at(-1) ?? null
      if (after === null) break
      await setImmediate()
    }
  }
  plan.isCut ||= plan.messageCount > exportedMessagesMaximum
  return { ...plan, messageCount: Math.min(plan.messageCount, exportedMessagesMaximum) }
}

/** Returns the ids of the displayed messages by chat id, from first to last. */
async function findDisplayedMessages(
  deps: Deps,
  chats: readonly HistoryRow[],
): Promise<Map<string, string[]>> {
  const shown = new Map<string, string[]>()
  let from = chats.flatMap(({ active_leaf_id }) => active_leaf_id ?? [])
  while (from.length > 0) {
    const steps: PathStep[] = await findAncestors(deps.db, from, stepsPerQuery)
    for (const { id, chat_id } of steps) {
      const ids = shown.get(chat_id)
      if (ids) ids.push(id)
      else shown.set(chat_id, [id])
    }
    from = steps.flatMap(({ depth, parent_id }) => (depth === stepsPerQuery ? (parent_id ?? []) : []))
    await setImmediate()
  }
  for (const ids of shown.values()) ids.reverse()
  return shown
}

async function* generateLines(
  deps: Deps,
  plan: Plan,
  format: ExportFormat,
  header: ExportHeader,
  check: () => Promise<void>,
): AsyncGenerator<string> {
  yield format.formatHeader(header)
  let written = 0
  for (let at = 0; at < plan.chatIds.length && written < exportedMessagesMaximum; at += chatsPerBatch) {
    const chats = await findHistories(deps.db, plan.chatIds.slice(at, at + chatsPerBatch))
    const messageIds = await findDisplayedMessages(deps, chats)
    for (const chat of chats) {
      const item = presentHistory(chat)
      const ids = (messageIds.get(chat.id) ?? []).slice(0, exportedMessagesMaximum - written)
      for (let first = 0; first < ids.length; first += messagesPerBatch) {
        await check()
        const messages = await findMessages(deps.db, ids.slice(first, first + messagesPerBatch))
        written += messages.length
        yield messages.map((message) => format.formatMessage(item, message)).join('')
      }
    }
    // SQLite queries block the event loop: yield so that other requests are served between batches.
    await setImmediate()
  }
  yield format.formatEnd(written, plan.isCut)
}

/** Takes the user's lease and records the export in one transaction. A user can run only one export at a time. */
async function beginExport(deps: Deps, actor: Actor, leaseOwner: string, after: Record<string, unknown>) {
  try {
    await deps.db.transaction().execute(async (tx) => {
      const lease = { id: actor.userId, owner: leaseOwner }
      if (!(await exportLeases.take(tx, lease, deps.now()))) throw new AppError('history.exporting')
      await audit(deps, tx, { actor, action: 'history.exported', after })
    })
  } catch (error) {
    throw toAuditError(error)
  }
}

/** Returns a check that renews the lease, and throws when the user started another export. */
function createLeaseRenewal(deps: Deps, { userId }: Actor, leaseOwner: string) {
  return createPeriodicCheck(deps.now, async (now) => {
    const lease = { id: userId, owner: leaseOwner }
    if (!(await exportLeases.renew(deps.db, lease, now)))
      throw new Error('Another export has replaced this one')
  })
}

/** Returns a function that releases the lease at its first call, so that the user can start another export. */
function createLeaseRelease(deps: Deps, userId: string, leaseOwner: string) {
  let released: Promise<void> | null = null
  return (): Promise<void> => {
    released ??= exportLeases
      .release(deps.db, { id: userId, owner: leaseOwner })
      .catch((error: unknown) =>
        deps.log.warn(
          { err: error },
          'could not release the lease of an export; it blocks the user’s next export for a minute',
        ),
      )
    return released
  }
}

/** Runs `end` before the reader sees the end of the file, so that they can start another export at once. */
async function* runAtEnd(pieces: AsyncIterable<string>, end: () => Promise<void>): AsyncGenerator<string> {
  try {
    yield* pieces
  } finally {
    await end()
  }
}

/** Streams the chats that match the filters as a file. Generation stops when the client disconnects. */
export async function exportHistories(
  deps: Deps,
  actor: Actor,
  query: ExportQuery,
  recheck: () => Promise<void>,
): Promise<FileReply> {
  const { format: formatName, limit: _limit, skip: _skip, ...filters } = query
  const format = exportFormats[formatName]
  const searchText = getPermittedSearchText(actor, query)
  const plan = await planExport(deps, searchText, toSelection(query), filters)
  const { messageCount, isCut } = plan
  const leaseOwner = uuidv7()
  const usedFilters = omitEmptyFilters(filters)
  await beginExport(deps, actor, leaseOwner, {
    ...usedFilters,
    format: formatName,
    messages: messageCount,
    isCut,
  })
  const exportedAt = new Date(deps.now()).toISOString()
  const exportedBy = { name: actor.name, email: actor.email }
  const header = { exportedBy, exportedAt, messages: messageCount, isCut, filters: usedFilters }
  const release = createLeaseRelease(deps, actor.userId, leaseOwner)
  const renew = createLeaseRenewal(deps, actor, leaseOwner)
  const lines = generateLines(deps, plan, format, header, async () => {
    await recheck()
    await renew()
  })
  // Byte mode limits read-ahead for slow clients by bytes; object mode would count chunks of any size.
  const content = Readable.from(runAtEnd(lines, release), { objectMode: false })
  // The client may disconnect before the generator starts, in which case its `finally` never runs.
  content.once('close', () => void release())
  return {
    content,
    mimeType: format.mimeType,
    name: `chat-histories-${exportedAt.slice(0, 10)}.${format.extension}`,
    headers: { 'x-total-messages': String(messageCount), 'x-export-cut': String(isCut) },
  }
}
