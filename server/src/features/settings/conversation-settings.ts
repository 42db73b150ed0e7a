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
import { changesBetween } from '../audit/changes.ts'

const keys = { reviewNotice: 'reviewNotice', retention: 'retention' } as const

/** What people are told about their chats, and how long these are kept, where nothing else is chosen. */
export async function conversationSettings(db: Executor): Promise<ConversationSettings> {
  const stored = await readSettings(db, Object.values(keys))
  const notice = reviewNotice.safeParse(stored.get(keys.reviewNotice))
  const kept = retention.safeParse(stored.get(keys.retention))
  return {
    reviewNotice: notice.success ? notice.data : { enabled: true, text: noticeDefault },
    retention: kept.success ? kept.data : { days: null },
  }
}

/** Null where none is shown. */
export function noticeText({ reviewNotice: { enabled, text } }: ConversationSettings): string | null {
  return enabled ? text : null
}

/** A channel's own choice goes before the one for everybody; null is for ever. */
export function keptDays(own: number | null, { retention: { days } }: ConversationSettings): number | null {
  return own ?? days
}

function change(
  deps: Deps,
  actor: Actor,
  key: keyof ConversationSettings,
  value: ReviewNotice | Retention,
): Promise<ConversationSettings> {
  return deps.db.transaction().execute(async (tx) => {
    await lockSettings(tx)
    const before = await conversationSettings(tx)
    const after = { ...before, [key]: value }
    const changes = changesBetween({ ...before }, { ...after })
    if (!changes) return before
    await writeSetting(tx, keys[key], value, deps.now())
    await audit(deps, tx, { actor, action: 'settings.changed', ...changes })
    return after
  })
}

export function changeReviewNotice(deps: Deps, actor: Actor, notice: ReviewNotice) {
  return change(deps, actor, 'reviewNotice', notice)
}

/** Holds from the next run of the clean-up on. */
export function changeRetention(deps: Deps, actor: Actor, chosen: Retention) {
  return change(deps, actor, 'retention', chosen)
}
