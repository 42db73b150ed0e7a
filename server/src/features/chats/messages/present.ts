import { type ChatMessage, type Feedback, feedbackReasons } from '@lyceum/contract/chats'
import { errors } from '@lyceum/contract/errors'
import type { Deps } from '../../../deps.ts'
import { isContinuable } from '../../answering/continuation.ts'
import { parseCitations } from '../../answering/stored-citations.ts'
import { findAvailableVersions } from '../../documents/access.ts'
import { type FeedbackRow, findFeedback } from './feedback-store.ts'
import { type ChildRow, findChildren, findRoots, type MessageRow } from './message-store.ts'
import type { Viewer } from './viewer.ts'

function toIsoTimestamp(time: number): string {
  return new Date(time).toISOString()
}

/** The message of a stored error code. Empty for an unknown code, so that the client shows its own text. */
function findErrorText(code: string | null): string | null {
  return code === null ? null : code in errors ? errors[code as keyof typeof errors].message : ''
}

interface MessageContext {
  /** Documents that can still be opened, with the version that answers use. */
  available: ReadonlyMap<string, number | null>
  /** Ids of all versions of this message, oldest first. */
  versions: readonly string[]
  /** Whether a reply to this message has any text yet. */
  isAnswered: boolean
  feedback: FeedbackRow | undefined
  canSeeModels: boolean
  now: number
}

function presentFeedback({ rating, reason, comment }: FeedbackRow): Feedback {
  return {
    rating,
    reason: feedbackReasons.find((known) => known === reason) ?? null,
    comment,
  }
}

function isUngrounded({ mode, content, citations, has_documents }: MessageRow): boolean {
  return mode === 'model' && has_documents === 1 && citations === null && content !== ''
}

function presentModel({ requested_model, actual_model }: MessageRow): ChatMessage['model'] {
  return requested_model !== null && actual_model !== null
    ? { requested: requested_model, actual: actual_model }
    : null
}

function presentReply(
  row: MessageRow,
  { available, feedback, canSeeModels, now }: MessageContext,
): Partial<ChatMessage> {
  // The lease has expired, but the sweep has not marked the row as interrupted yet.
  const isLost = row.state === 'streaming' && (row.lease_until ?? 0) < now
  const state = isLost ? 'interrupted' : (row.state ?? 'complete')
  return {
    state,
    mode: row.mode,
    citations: parseCitations(row).map((citation) => ({
      ...citation,
      available: available.has(citation.documentId),
      isOutdated: (available.get(citation.documentId) ?? 0) > (citation.version ?? 1),
    })),
    ...(state !== 'streaming' && isUngrounded(row) ? { isUngrounded: true } : {}),
    ...(row.removed_citations ? { removedCitations: row.removed_citations } : {}),
    ...(canSeeModels ? { model: presentModel(row) } : {}),
    error: findErrorText(isLost ? 'chat.interrupted' : row.error),
    ...(state === 'streaming' ? { lastEvent: row.last_event } : {}),
    ...(feedback ? { feedback: presentFeedback(feedback) } : {}),
    ...(isContinuable({ ...row, state }) ? { canContinue: true } : {}),
  }
}

function presentMessage(row: MessageRow, context: MessageContext): ChatMessage {
  const { versions, isAnswered } = context
  return {
    _id: row.id,
    role: row.role,
    content: row.content,
    timestamp: toIsoTimestamp(row.created_at),
    ...(row.role === 'assistant' ? presentReply(row, context) : {}),
    ...(row.role === 'user' ? { status: isAnswered ? ('read' as const) : ('delivered' as const) } : {}),
    ...(versions.length > 1
      ? { versions: { ids: [...versions], current: Math.max(0, versions.indexOf(row.id)) } }
      : {}),
  }
}

/** Presents messages of one chat. The number of queries does not depend on the number of messages. */
export async function presentMessages(
  deps: Deps,
  { channelId, canSeeModels }: Viewer,
  rows: readonly MessageRow[],
): Promise<ChatMessage[]> {
  const [first] = rows
  if (!first) return []
  const cited = new Set(rows.flatMap(parseCitations).map(({ documentId }) => documentId))
  const parents = new Set(
    rows.flatMap(({ id, parent_id }) => [id, ...(parent_id === null ? [] : [parent_id])]),
  )
  const [available, children, roots, feedback] = await Promise.all([
    cited.size === 0
      ? new Map<string, number | null>()
      : findAvailableVersions(deps.db, channelId, [...cited]),
    findChildren(deps.db, [...parents]),
    rows.some(({ parent_id }) => parent_id === null) ? findRoots(deps.db, first.chat_id) : [],
    findFeedback(
      deps.db,
      rows.flatMap(({ id, role }) => (role === 'assistant' ? [id] : [])),
    ),
  ])
  const byParent = Map.groupBy<string | null, ChildRow>([...children, ...roots], ({ parent_id }) => parent_id)
  const now = deps.now()
  return rows.map((row) =>
    presentMessage(row, {
      available,
      versions: (byParent.get(row.parent_id) ?? [])
        .filter(({ role }) => role === row.role)
        .map(({ id }) => id),
      isAnswered: (byParent.get(row.id) ?? []).some(({ has_text }) => has_text === 1),
      feedback: feedback.get(row.id),
      canSeeModels,
      now,
    }),
  )
}

/** Presents a row from memory when the database cannot be queried. */
export function presentFromMemory(deps: Deps, { canSeeModels }: Viewer, row: MessageRow): ChatMessage {
  return presentMessage(row, {
    available: new Map(parseCitations(row).map(({ documentId }) => [documentId, null])),
    versions: [],
    isAnswered: false,
    feedback: undefined,
    canSeeModels,
    now: deps.now(),
  })
}
