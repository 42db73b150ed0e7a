import type { SetupProblem } from '@lyceum/contract/channels'
import type { ChatMessage } from '@lyceum/contract/chats'
import { errors } from '@lyceum/contract/errors'
import { type Feedback, feedbackReasons } from '@lyceum/contract/feedback'
import type { Deps } from '../../../deps.ts'
import { isContinuable } from '../../answering/continuation.ts'
import { getCitedDocumentIds, parseCitations } from '../../answering/stored-citations.ts'
import {
  createSetupProblemLookup,
  type SetupProblemLookup,
  toSetupProblem,
} from '../../assistants/setup-problem.ts'
import { findAvailableVersions } from '../../documents/access.ts'
import { type AttachmentRow, listAttachments } from '../attachments/attachment-store.ts'
import { presentAttachment } from '../attachments/attachments.ts'
import { findExpiredReplies } from '../replies/reply-store.ts'
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

/** Takes the place of an error whose cause was mended, because its sentence asks for what has been done. */
const mendedText = 'This assistant could not answer at that time.'

interface MessageContext {
  /** Documents that can still be opened, with the version that answers use. */
  available: ReadonlyMap<string, number | null>
  /** Ids of all versions of this message, oldest first. */
  versions: readonly string[]
  /** Whether a reply to this message has any text yet. */
  isAnswered: boolean
  feedback: FeedbackRow | undefined
  /** The files of the chat. */
  attachments: readonly AttachmentRow[]
  findSetupProblem: SetupProblemLookup
  canSeeDetails: boolean
  isOwner: boolean
  /** Whether its lease has expired, although the sweep has not marked it as interrupted yet. */
  isLost: boolean
}

function presentFeedback({ rating, reason, comment }: FeedbackRow): Feedback {
  return {
    rating,
    reason: feedbackReasons.find((known) => known === reason) ?? null,
    comment,
  }
}

/** Why the channel could not answer when the row was written. Undefined for other rows. */
function getSetupProblem({ error, mode, has_documents }: MessageRow): SetupProblem | undefined {
  return mode === 'refusal' && has_documents === 0 ? 'no-documents' : toSetupProblem(error)
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
  { available, feedback, findSetupProblem, canSeeDetails, isOwner, isLost }: MessageContext,
): Partial<ChatMessage> {
  const state = isLost ? 'interrupted' : (row.state ?? 'complete')
  const problem = getSetupProblem(row)
  const setupProblem = problem && findSetupProblem({ problem, created_at: row.created_at })
  const isMended = problem !== undefined && setupProblem === undefined
  return {
    state,
    mode: row.mode,
    citations: parseCitations(row).map((citation) => ({
      ...citation,
      ...(citation.isAttachment
        ? { available: isOwner }
        : {
            available: available.has(citation.documentId),
            isOutdated: (available.get(citation.documentId) ?? 0) > (citation.version ?? 1),
          }),
    })),
    ...(state !== 'streaming' && isUngrounded(row) ? { isUngrounded: true } : {}),
    ...(row.removed_citations ? { removedCitations: row.removed_citations } : {}),
    ...(canSeeDetails && row.unchecked_citations ? { uncheckedCitations: row.unchecked_citations } : {}),
    ...(canSeeDetails ? { model: presentModel(row) } : {}),
    error:
      isMended && row.error !== null ? mendedText : findErrorText(isLost ? 'chat.interrupted' : row.error),
    ...(setupProblem ? { setupProblem } : {}),
    ...(isMended ? { isMended } : {}),
    ...(state === 'streaming' ? { lastEvent: row.last_event } : {}),
    ...(feedback ? { feedback: presentFeedback(feedback) } : {}),
    ...(isContinuable({ ...row, state }) ? { canContinue: true } : {}),
  }
}

/** An edited message keeps the files of the version they were sent with. */
function presentQuestion(
  row: MessageRow,
  { versions, isAnswered, attachments }: MessageContext,
): Partial<ChatMessage> {
  const attached = attachments.filter(
    ({ message_id }) => message_id !== null && (message_id === row.id || versions.includes(message_id)),
  )
  return {
    status: isAnswered ? 'read' : 'delivered',
    ...(attached.length > 0 ? { attachments: attached.map(presentAttachment) } : {}),
  }
}

function presentMessage(row: MessageRow, context: MessageContext): ChatMessage {
  const { versions } = context
  return {
    _id: row.id,
    role: row.role,
    content: row.content,
    timestamp: toIsoTimestamp(row.created_at),
    ...(row.role === 'assistant' ? presentReply(row, context) : {}),
    ...(row.role === 'user' ? presentQuestion(row, context) : {}),
    ...(versions.length > 1
      ? { versions: { ids: [...versions], current: Math.max(0, versions.indexOf(row.id)) } }
      : {}),
  }
}

/**
 * The ids of all versions of a message, oldest first. An attempt that failed without any text is not a version: it counts
 * only while it is shown, so that the versions before it can be found.
 */
function listVersions(row: MessageRow, siblings: readonly ChildRow[]): string[] {
  return siblings.flatMap(({ id, role, state, has_text }) =>
    role === row.role && (id === row.id || state !== 'failed' || has_text === 1) ? id : [],
  )
}

/**
 * Presents messages of one chat. The number of queries does not depend on the number of messages. `knownAttachments` are
 * those of the chat, if the caller is loading them anyway.
 */
export async function presentMessages(
  deps: Deps,
  { channelId, canSeeDetails, isOwner }: Viewer,
  rows: readonly MessageRow[],
  knownAttachments?: Promise<readonly AttachmentRow[]>,
): Promise<ChatMessage[]> {
  const [first] = rows
  if (!first) return []
  const cited = new Set(rows.flatMap(getCitedDocumentIds))
  const parents = new Set(
    rows.flatMap(({ id, parent_id }) => [id, ...(parent_id === null ? [] : [parent_id])]),
  )
  // The replies of this node are ended at its start, or written by it.
  const runningElsewhere = rows.flatMap(({ id, state, lease_owner }) =>
    state === 'streaming' && lease_owner !== deps.nodeId ? [id] : [],
  )
  const [available, children, roots, feedback, attachments, findSetupProblem, lost] = await Promise.all([
    cited.size === 0
      ? new Map<string, number | null>()
      : findAvailableVersions(deps.db, channelId, [...cited]),
    findChildren(deps.db, [...parents]),
    rows.some(({ parent_id }) => parent_id === null) ? findRoots(deps.db, first.chat_id) : [],
    findFeedback(
      deps.db,
      // A running reply cannot be rated.
      rows.flatMap(({ id, role, state }) => (role === 'assistant' && state !== 'streaming' ? [id] : [])),
    ),
    rows.some(({ role }) => role === 'user')
      ? (knownAttachments ?? listAttachments(deps.db, first.chat_id))
      : [],
    rows.some((row) => getSetupProblem(row) !== undefined)
      ? createSetupProblemLookup(deps, channelId)
      : () => undefined,
    runningElsewhere.length === 0
      ? new Set<string>()
      : findExpiredReplies(deps.db, runningElsewhere, deps.now()),
  ])
  const byParent = Map.groupBy<string | null, ChildRow>([...children, ...roots], ({ parent_id }) => parent_id)
  return rows.map((row) =>
    presentMessage(row, {
      available,
      versions: listVersions(row, byParent.get(row.parent_id) ?? []),
      isAnswered: (byParent.get(row.id) ?? []).some(({ has_text }) => has_text === 1),
      feedback: feedback.get(row.id),
      attachments,
      findSetupProblem,
      canSeeDetails,
      isOwner,
      isLost: lost.has(row.id),
    }),
  )
}

/** Presents a row from memory when the database cannot be queried. */
export function presentFromMemory({ canSeeDetails, isOwner }: Viewer, row: MessageRow): ChatMessage {
  return presentMessage(row, {
    available: new Map(parseCitations(row).map(({ documentId }) => [documentId, null])),
    versions: [],
    isAnswered: false,
    feedback: undefined,
    attachments: [],
    findSetupProblem: ({ problem }) => problem,
    canSeeDetails,
    isOwner,
    isLost: false,
  })
}
