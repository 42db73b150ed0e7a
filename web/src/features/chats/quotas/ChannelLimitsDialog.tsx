import type { Channel } from '@lyceum/contract/channels'
import { quotasApi } from '@lyceum/contract/quotas'
import { useQuery } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { ChannelLine } from '#ui/ChannelLine.tsx'
import { LimitsFormDialog, PendingLimitsDialog } from './LimitsDialog.tsx'
import { channelQuotaQuery } from './queries.ts'
import { usageLabels } from './quota-labels.ts'

interface Props {
  channel: Channel
  onClose: () => void
}

/** The limits that all members of a channel share, and their usage. */
export function ChannelLimitsDialog({ channel, onClose }: Props) {
  const { data, error, refetch } = useQuery(channelQuotaQuery(channel._id))
  const subject = <ChannelLine channel={channel} />
  if (data === undefined) {
    return (
      <PendingLimitsDialog subject={subject} error={error} onRetry={() => void refetch()} onClose={onClose} />
    )
  }
  return (
    <LimitsFormDialog
      subject={subject}
      quota={data.quota}
      usage={usageLabels(data.quota, data.used)}
      onSave={(body) => call(quotasApi.setForChannel, { params: { id: channel._id }, body })}
      onClose={onClose}
      lead={
        <p className="text-muted text-sm">
          Shared by all members, in addition to each member’s limits. Leave empty for no limit; 0 blocks all
          messages.
        </p>
      }
    />
  )
}
