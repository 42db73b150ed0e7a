import {
  type ConversationSettings,
  noticeDefault,
  type Retention,
  type ReviewNotice,
  retention,
  reviewNotice,
} from '@lyceum/contract/conversation-settings'
import type { Executor } from '#db/client.ts'
import { lockSettings, readSettings, writeSetting } from '#db/settings.ts'
import type { Actor } from '../../actor.ts'
import type { Deps } from '../../deps.ts'
import { audit } from '../audit/append.ts'
import { findChanges } from '../audit/changes.ts'

const settingKeys = { reviewNotice: 'reviewNotice', retention: 'retention' } as const

/** The notice about reviewed conversations and the global retention period. */
export async function getConversationSettings(db: Executor): Promise<ConversationSettings> {
  const stored = await readSettings(db, Object.values(settingKeys))
  const notice = reviewNotice.safeParse(stored.get(settingKeys.reviewNotice))
  const storedRetention = retention.safeParse(stored.get(settingKeys.retention))
  return {
    reviewNotice: notice.success ? notice.data : { enabled: true, text: noticeDefault },
    retention: storedRetention.success ? storedRetention.data : { days: null },
  }
}

/** Null if the notice is switched off. */
export function getNoticeText({ reviewNotice: { enabled, text } }: ConversationSettings): string | null {
  return enabled ? text : null
}

/** A channel's own retention period overrides the global one. Null keeps chats forever. */
export function getRetentionDays(
  own: number | null,
  { retention: { days } }: ConversationSettings,
): number | null {
  return own ?? days
}

function changeSetting(
  deps: Deps,
  actor: Actor,
  key: keyof ConversationSettings,
  value: ReviewNotice | Retention,
): Promise<ConversationSettings> {
  return deps.db.transaction().execute(async (tx) => {
    await lockSettings(tx)
    const before = await getConversationSettings(tx)
    const after = { ...before, [key]: value }
    const changes = findChanges({ ...before }, { ...after })
    if (!changes) return before
    await writeSetting(tx, settingKeys[key], value, deps.now())
    await audit(deps, tx, { actor, action: 'settings.changed', ...changes })
    return after
  })
}

export function changeReviewNotice(deps: Deps, actor: Actor, notice: ReviewNotice) {
  return changeSetting(deps, actor, 'reviewNotice', notice)
}

/** Applies from the next run of the cleanup. */
export function changeRetention(deps: Deps, actor: Actor, chosen: Retention) {
  return changeSetting(deps, actor, 'retention', chosen)
}
