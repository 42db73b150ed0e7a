import type { User } from '@lyceum/contract/auth'
import { type Quota, quotasApi, type UserQuota } from '@lyceum/contract/quotas'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#api/call.ts'
import { RadioCard } from '#ui/RadioCard.tsx'
import { LimitsForm, LimitsOnTheirWay } from './LimitsDialog.tsx'
import { userQuotaQuery } from './queries.ts'
import { quotaWords, spentWords } from './quota-labels.ts'

interface Props {
  user: User
  onClose: () => void
}

function Form({ user, limits, onClose }: Props & { limits: UserQuota }) {
  const [hasOwn, setHasOwn] = useState(limits.own !== null)
  const params = { id: user._id }
  function save(quota: Quota): Promise<unknown> {
    return hasOwn
      ? call(quotasApi.setForUser, { params, body: quota })
      : call(quotasApi.resetForUser, { params })
  }
  return (
    <LimitsForm
      title={`Limits of ${user.name}`}
      quota={limits.own ?? limits.everybody}
      spent={spentWords(hasOwn ? (limits.own ?? limits.everybody) : limits.everybody, limits.used)}
      isOff={!hasOwn}
      isOtherwiseChanged={hasOwn !== (limits.own !== null)}
      onSave={save}
      onClose={onClose}
      lead={
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1.5 font-medium text-sm">Whose limits hold</legend>
          <RadioCard
            name="whose"
            label="Those for everybody"
            text={quotaWords(limits.everybody)}
            isChosen={!hasOwn}
            onChoose={() => setHasOwn(false)}
          />
          <RadioCard
            name="whose"
            label="Limits of their own"
            text="Empty is no limit; with 0 they can ask nothing."
            isChosen={hasOwn}
            onChoose={() => setHasOwn(true)}
          />
        </fieldset>
      }
    />
  )
}

/** How much a person may use, and what they have used. */
export function UserLimitsDialog({ user, onClose }: Props) {
  const { data, error, refetch } = useQuery(userQuotaQuery(user._id))
  if (data === undefined) {
    return (
      <LimitsOnTheirWay
        title={`Limits of ${user.name}`}
        error={error}
        onRetry={() => void refetch()}
        onClose={onClose}
      />
    )
  }
  return <Form user={user} limits={data} onClose={onClose} />
}
