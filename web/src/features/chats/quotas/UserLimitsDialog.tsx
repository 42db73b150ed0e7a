import type { User } from '@lyceum/contract/auth'
import { type Quota, quotasApi, type UserQuota } from '@lyceum/contract/quotas'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#api/call.ts'
import { RadioCard } from '#ui/RadioCard.tsx'
import { UserLine } from '#ui/UserLine.tsx'
import { LimitsFormDialog, PendingLimitsDialog } from './LimitsDialog.tsx'
import { userQuotaQuery } from './queries.ts'
import { quotaLabel, usageLabels } from './quota-labels.ts'

interface Props {
  user: User
  onClose: () => void
}

function Form({ user, limits, onClose }: Props & { limits: UserQuota }) {
  const [isCustom, setIsCustom] = useState(limits.own !== null)
  const client = useQueryClient()
  const params = { id: user._id }
  async function save(quota: Quota): Promise<void> {
    const saved = await (isCustom
      ? call(quotasApi.setForUser, { params, body: quota })
      : call(quotasApi.resetForUser, { params }))
    client.setQueryData(userQuotaQuery(user._id).queryKey, saved)
  }
  return (
    <LimitsFormDialog
      subject={<UserLine user={user} />}
      quota={limits.own ?? limits.everybody}
      usage={usageLabels(isCustom ? (limits.own ?? limits.everybody) : limits.everybody, limits.used)}
      isDisabled={!isCustom}
      hasOtherChanges={isCustom !== (limits.own !== null)}
      onSave={save}
      onClose={onClose}
      lead={
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1.5 font-medium text-sm">Limits in use</legend>
          <RadioCard
            name="limits"
            label="Default"
            text={quotaLabel(limits.everybody)}
            isChosen={!isCustom}
            onChoose={() => setIsCustom(false)}
          />
          <RadioCard
            name="limits"
            label="Custom"
            text="Leave empty for no limit; 0 blocks all messages."
            isChosen={isCustom}
            onChoose={() => setIsCustom(true)}
          />
        </fieldset>
      }
    />
  )
}

/** A user's limits and usage. */
export function UserLimitsDialog({ user, onClose }: Props) {
  const { data, error, isFetchedAfterMount, refetch } = useQuery(userQuotaQuery(user._id))
  // The user's page has the same query, and the form must not start from its older values.
  if (data === undefined || !isFetchedAfterMount) {
    return (
      <PendingLimitsDialog
        subject={<UserLine user={user} />}
        error={error}
        onRetry={() => void refetch()}
        onClose={onClose}
      />
    )
  }
  return <Form user={user} limits={data} onClose={onClose} />
}
