import type { Channel } from '@lyceum/contract/channels'
import { quotasApi } from '@lyceum/contract/quotas'
import { useQuery } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { LimitsForm, LimitsOnTheirWay } from './LimitsDialog.tsx'
import { channelQuotaQuery } from './queries.ts'
import { spentWords } from './quota-labels.ts'

interface Props {
  channel: Channel
  onClose: () => void
}

/** How much the members of a channel may use together, and what they have used. */
export function ChannelLimitsDialog({ channel, onClose }: Props) {
  const { data, error, refetch } = useQuery(channelQuotaQuery(channel._id))
  const title = `Limits of ${channel.name}`
  if (data === undefined) {
    return <LimitsOnTheirWay title={title} error={error} onRetry={() => void refetch()} onClose={onClose} />
  }
  return (
    <LimitsForm
      title={title}
      quota={data.quota}
      spent={spentWords(data.quota, data.used)}
      onSave={(body) => call(quotasApi.setForChannel, { params: { id: channel._id }, body })}
      onClose={onClose}
      lead={
        <p className="text-muted text-sm">
          For all members together, beside the limits of each person. Empty is no limit; with 0 nobody can ask
          anything here.
        </p>
      }
    />
  )
}
