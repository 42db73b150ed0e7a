import type { ArchivedFilter, Channel, ChannelInput } from '@lyceum/contract/channels'
import { listMaximum } from '@lyceum/contract/wire'
import { uuidv7 } from 'uuidv7'
import { scheduleImageDeletion } from '#files/images.ts'
import { toPage } from '#lib/page.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { createPictureLookup, createWarningLookup } from '../assistants/models.ts'
import { requireOfferedModel } from '../assistants/offered-models.ts'
import { findLastingProblems } from '../assistants/setup-problem.ts'
import { audit } from '../audit/append.ts'
import { findChanges, fingerprint } from '../audit/changes.ts'
import {
  getConversationSettings,
  getNoticeText,
  getRetentionDays,
} from '../settings/conversation-settings.ts'
import { requireVisibleChannel } from './access.ts'
import { canManageChannels, type ManagementDetails, presentChannel } from './present.ts'
import { parseStarterQuestions, toStarterColumn } from './starter-questions.ts'
import {
  type ChannelCounts,
  type ChannelForUser,
  countChannels,
  countChats,
  countContents,
  deleteChannel,
  findChannel,
  insertChannel,
  insertMember,
  listChannels,
  listMembersOfChannels,
  lockChannel,
  noCounts,
  updateChannel,
} from './store.ts'

/** Selects only as many channels as are needed to show `limit` members in total. Members of the rest are not read. */
function selectChannelsByMemberLimit(counts: ReadonlyMap<string, ChannelCounts>, limit: number): string[] {
  let memberCount = 0
  return [...counts.keys()].toSorted().filter((id) => {
    const isNeeded = memberCount < limit
    memberCount += counts.get(id)?.members ?? 0
    return isNeeded
  })
}

async function presentChannels(
  deps: Deps,
  actor: Actor,
  channels: ChannelForUser[],
  chats: number | null = null,
): Promise<Channel[]> {
  const takesPictures = await createPictureLookup(deps)
  const ids = channels.map(({ id }) => id)
  const problems = await findLastingProblems(deps, ids)
  function present(channel: ChannelForUser, details: ManagementDetails | null): Channel {
    const setupProblem = problems.get(channel.id)
    const presented = presentChannel(actor, channel, takesPictures, details)
    return setupProblem === undefined ? presented : { ...presented, setupProblem }
  }
  if (!canManageChannels(actor)) return channels.map((channel) => present(channel, null))
  const counts = await countContents(deps.db, ids)
  const getWarning = await createWarningLookup(deps, channels)
  const channelIds = selectChannelsByMemberLimit(counts, listMaximum)
  const members = Map.groupBy(
    await listMembersOfChannels(deps.db, channelIds, listMaximum),
    ({ channel_id }) => channel_id,
  )
  return channels.map((channel) =>
    present(channel, {
      counts: counts.get(channel.id) ?? noCounts,
      members: members.get(channel.id) ?? [],
      chats,
      warning: getWarning(channel),
    }),
  )
}

async function presentOne(deps: Deps, actor: Actor, channel: ChannelForUser): Promise<Channel> {
  const chats = canManageChannels(actor) ? await countChats(deps.db, channel.id) : null
  const [presented] = await presentChannels(deps, actor, [channel], chats)
  if (!presented) throw new Error('presentChannels returned no channel')
  const settings = await getConversationSettings(deps.db)
  return {
    ...presented,
    reviewNotice: getNoticeText(settings),
    chatsKeptDays: getRetentionDays(channel.retention_days, settings),
  }
}

interface ListQuery {
  limit?: number | undefined
  skip?: number | undefined
  search?: string | undefined
  archived: ArchivedFilter
}

/** Sorted by name. Returns a page if `limit` is given, otherwise an array. */
export async function listVisibleChannels(
  deps: Deps,
  actor: Actor,
  { limit, skip, search, archived }: ListQuery,
) {
  const filter = {
    userId: actor.userId,
    all: canManageChannels(actor),
    search,
    archived,
    limit: limit ?? listMaximum,
    skip: skip ?? 0,
  }
  const items = await presentChannels(deps, actor, await listChannels(deps.db, filter))
  if (limit === undefined) return items
  const total = await countChannels(deps.db, filter)
  return toPage(items, total, limit)
}

export async function getVisibleChannel(deps: Deps, actor: Actor, id: string): Promise<Channel> {
  return presentOne(deps, actor, await requireVisibleChannel(deps.db, actor, id))
}

type OptionalColumns = Pick<
  ChannelForUser,
  'check_citations' | 'allow_proposals' | 'allow_attachments' | 'retention_days' | 'starter_questions'
>

/**
 * Converts the input to columns. Clears the fields of the other kind of channel, so that no stale values remain, and
 * keeps the current value of optional fields that the caller omits.
 */
function toColumns(input: ChannelInput, current: OptionalColumns) {
  return {
    name: input.name,
    description: input.description,
    system_prompt: input.useAssistant ? '' : input.systemPrompt,
    llm_model: input.useAssistant ? '' : input.llmModel,
    strict_documents_only: !input.useAssistant && input.strictDocumentsOnly ? (1 as const) : (0 as const),
    check_citations:
      !input.useAssistant && (input.checkCitations ?? current.check_citations === 1)
        ? (1 as const)
        : (0 as const),
    allow_proposals:
      !input.useAssistant && (input.allowProposals ?? current.allow_proposals === 1)
        ? (1 as const)
        : (0 as const),
    allow_attachments:
      (input.allowAttachments ?? current.allow_attachments === 1) ? (1 as const) : (0 as const),
    starter_questions:
      input.starterQuestions === undefined
        ? current.starter_questions
        : toStarterColumn(input.starterQuestions),
    retention_days: input.retentionDays === undefined ? current.retention_days : input.retentionDays,
    use_assistant: input.useAssistant ? (1 as const) : (0 as const),
    assistant_id: input.useAssistant ? input.openaiAssistantId : '',
  }
}

/** The fields recorded in the audit log. The prompt is confidential, so only its fingerprint is. */
function auditSnapshot(row: ChannelForUser) {
  return {
    name: row.name,
    description: row.description,
    systemPrompt: fingerprint(row.system_prompt),
    llmModel: row.llm_model,
    strictDocumentsOnly: row.strict_documents_only === 1,
    checkCitations: row.check_citations === 1,
    allowProposals: row.allow_proposals === 1,
    allowAttachments: row.allow_attachments === 1,
    starterQuestions: parseStarterQuestions(row),
    retentionDays: row.retention_days,
    useAssistant: row.use_assistant === 1,
    openaiAssistantId: row.assistant_id,
  }
}

export async function createChannel(deps: Deps, actor: Actor, input: ChannelInput): Promise<Channel> {
  const id = uuidv7()
  const now = deps.now()
  const created = await deps.db.transaction().execute(async (tx) => {
    await requireOfferedModel(tx, input, null)
    await insertChannel(tx, {
      id,
      ...toColumns(input, {
        check_citations: 0,
        allow_proposals: 0,
        allow_attachments: 1,
        retention_days: null,
        starter_questions: null,
      }),
      avatar: null,
      wallpaper_file: null,
      created_at: now,
      updated_at: now,
    })
    await insertMember(tx, id, actor.userId, now)
    const channel = await findChannel(tx, id, actor.userId)
    if (channel)
      await audit(deps, tx, {
        actor,
        action: 'channel.created',
        object: { type: 'channel', id, name: channel.name },
        after: auditSnapshot(channel),
      })
    return channel
  })
  if (!created) throw new Error('the created channel was not found')
  return presentOne(deps, actor, created)
}

export async function changeChannel(
  deps: Deps,
  actor: Actor,
  id: string,
  input: ChannelInput,
): Promise<Channel> {
  await deps.db.transaction().execute(async (tx) => {
    await requireVisibleChannel(tx, actor, id)
    await lockChannel(tx, id)
    const before = await requireVisibleChannel(tx, actor, id)
    await requireOfferedModel(tx, input, before.llm_model)
    await updateChannel(tx, id, { ...toColumns(input, before), updated_at: deps.now() })
    const after = await requireVisibleChannel(tx, actor, id)
    const changes = findChanges(auditSnapshot(before), auditSnapshot(after))
    if (changes)
      await audit(deps, tx, {
        actor,
        action: 'channel.changed',
        object: { type: 'channel', id, name: before.name },
        ...changes,
      })
  })
  return presentOne(deps, actor, await requireVisibleChannel(deps.db, actor, id))
}

/** Deletes the channel with its content. Replies that start meanwhile end by themselves because their chat is gone. */
export async function removeChannel(deps: Deps, actor: Actor, id: string): Promise<{ message: string }> {
  const { name } = await requireVisibleChannel(deps.db, actor, id)
  // Stop replies before the transaction, so that a finishing reply and the deletion of its chat cannot deadlock.
  await deps.lifecycle.onAccessLost(deps, { channelId: id })
  await deps.db.transaction().execute(async (tx) => {
    // Lock the channel first: a concurrent wallpaper upload has then either committed or finds no channel.
    await lockChannel(tx, id)
    const { wallpaper_file } = await requireVisibleChannel(tx, actor, id)
    if (wallpaper_file !== null) await scheduleImageDeletion(tx, wallpaper_file, deps.now())
    await deps.lifecycle.onChannelDeleting(deps, tx, id)
    if (!(await deleteChannel(tx, id))) throw notFound()
    await audit(deps, tx, { actor, action: 'channel.deleted', object: { type: 'channel', id, name } })
  })
  await deps.lifecycle.onChannelDeleted(deps, id)
  return { message: `“${name}” was deleted` }
}
