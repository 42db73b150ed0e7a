import type { Quota } from '@lyceum/contract/quotas'
import type { Selectable } from 'kysely'
import type { Executor } from '#db/client.ts'
import type { Database } from '#db/schema.ts'

/** Whom the limits apply to: everyone, one user or one channel. */
export type QuotaOwner = 'everybody' | { userId: string } | { channelId: string }

function toQuotaId(owner: QuotaOwner): string {
  return owner === 'everybody' ? owner : 'userId' in owner ? owner.userId : owner.channelId
}

function toQuota(row: Selectable<Database['quotas']>): Quota {
  return {
    messagesPerDay: row.messages_per_day,
    tokensPerMonth: row.tokens_per_month,
  }
}

/** The limits of several owners in one query; null for an owner without limits. */
export async function readQuotas(db: Executor, owners: readonly QuotaOwner[]): Promise<(Quota | null)[]> {
  const rows = await db.selectFrom('quotas').selectAll().where('id', 'in', owners.map(toQuotaId)).execute()
  return owners.map((owner) => {
    const row = rows.find(({ id }) => id === toQuotaId(owner))
    return row ? toQuota(row) : null
  })
}

export async function writeQuota(
  tx: Executor,
  owner: QuotaOwner,
  { messagesPerDay, tokensPerMonth }: Quota,
  now: number,
): Promise<void> {
  const limits = { messages_per_day: messagesPerDay, tokens_per_month: tokensPerMonth, updated_at: now }
  const user_id = typeof owner === 'object' && 'userId' in owner ? owner.userId : null
  const channel_id = typeof owner === 'object' && 'channelId' in owner ? owner.channelId : null
  await tx
    .insertInto('quotas')
    .values({ id: toQuotaId(owner), user_id, channel_id, ...limits })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(limits))
    .execute()
}

export async function deleteQuota(tx: Executor, owner: QuotaOwner): Promise<void> {
  await tx.deleteFrom('quotas').where('id', '=', toQuotaId(owner)).execute()
}
