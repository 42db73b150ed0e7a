import { attentionMaximum, type Overview } from '@lyceum/contract/overview'
import type { Permission } from '@lyceum/contract/permissions'
import { type Actor, can } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { getAnalytics } from '../analytics/analytics.ts'
import { readMissingAssistants } from '../assistants/missing-assistants.ts'
import { countUnindexed, countWithoutVectors } from '../documents/indexing/index-status.ts'
import { findEmbeddingsFailure } from '../status/model-parts.ts'
import { listPartsInTrouble } from '../status/status.ts'
import {
  countExpiredInvitations,
  countPendingDocuments,
  countUnansweredQuestions,
  listChannelsWithoutDocuments,
  listReadyMadeChannels,
} from './store.ts'

type AttentionKind = Overview['attention'][number]['kind']

const day = 86_400_000
/** The days that the list of unanswered questions shows by default. */
const questionDays = 30

type AttentionItem = Omit<Overview['attention'][number], 'kind'>

function toItem(ids: readonly string[]): AttentionItem {
  const [channelId] = ids
  return channelId !== undefined && ids.length === 1 ? { count: 1, channelId } : { count: ids.length }
}

const counters: Record<
  AttentionKind,
  { permission: Permission; count: (deps: Deps) => Promise<number | AttentionItem> }
> = {
  'channels-without-model': {
    permission: 'canManageSettings',
    count: async ({ db, assistant }) =>
      assistant.chat === null ? (await listReadyMadeChannels(db, { hasPreset: true })).length : 0,
  },
  'channels-without-assistant': {
    permission: 'canEditChannels',
    count: async (deps) => {
      // Only the assistants server knows its assistants.
      const known = deps.assistant.external && { assistantIds: [...(await readMissingAssistants(deps))] }
      return toItem(await listReadyMadeChannels(deps.db, { hasPreset: false, ...known }))
    },
  },
  'channels-without-documents': {
    permission: 'canUploadDocuments',
    // With a model, a channel that is not strict answers without documents.
    count: async ({ db, assistant }) =>
      toItem(await listChannelsWithoutDocuments(db, { isStrict: assistant.chat !== null })),
  },
  'pending-documents': { permission: 'canManageDocuments', count: ({ db }) => countPendingDocuments(db) },
  'failed-documents': {
    permission: 'canManageDocuments',
    count: (deps) => countUnindexed(deps, attentionMaximum),
  },
  'documents-without-vectors': {
    permission: 'canManageDocuments',
    count: async (deps) =>
      countWithoutVectors(deps, (await findEmbeddingsFailure(deps)) !== null, attentionMaximum),
  },
  'expired-invitations': {
    permission: 'canManageUsers',
    count: ({ db, now }) => countExpiredInvitations(db, now()),
  },
  'unanswered-questions': {
    permission: 'canViewAnalytics',
    count: ({ db, now }) => countUnansweredQuestions(db, now() - questionDays * day),
  },
}

async function listAttention(deps: Deps, actor: Actor): Promise<Overview['attention']> {
  const allowed = (Object.keys(counters) as AttentionKind[]).filter((kind) =>
    can(actor, counters[kind].permission),
  )
  const counts = await Promise.all(
    allowed.map(async (kind) => {
      const found = await counters[kind].count(deps)
      return { kind, ...(typeof found === 'number' ? { count: found } : found) }
    }),
  )
  return counts.filter(({ count }) => count > 0)
}

async function readWeek(deps: Deps): Promise<Overview['week']> {
  const now = deps.now()
  const from = new Date(now - 6 * day).toISOString().slice(0, 10)
  const to = new Date(now).toISOString().slice(0, 10)
  const { totals, before } = await getAnalytics(deps, { from, to })
  return { totals, before }
}

/** Unlike the analytics page, this is not recorded as read: it shows totals of the whole installation only. */
export async function getOverview(deps: Deps, actor: Actor): Promise<Overview> {
  const [attention, parts, week] = await Promise.all([
    listAttention(deps, actor),
    can(actor, 'canManageSettings') ? listPartsInTrouble(deps) : [],
    can(actor, 'canViewAnalytics') ? readWeek(deps) : null,
  ])
  return { attention, parts, week }
}
