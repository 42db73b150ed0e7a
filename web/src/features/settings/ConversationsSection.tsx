import type { Channel } from '@lyceum/contract/channels'
import { useQuery } from '@tanstack/react-query'
import { channelsQuery } from '#features/channels/queries.ts'
import { formatDays } from '#lib/retention-labels.ts'
import { TextLink } from '#ui/TextLink.tsx'
import { conversationSettingsQuery } from './queries.ts'
import { RetentionForm } from './RetentionForm.tsx'
import { ReviewNoticeForm } from './ReviewNoticeForm.tsx'
import { SettingsSection } from './SettingsSection.tsx'

const maxListed = 12

/** Channels whose retention period differs from the global one. */
function ChannelRetentionList({ channels }: { channels: readonly Channel[] }) {
  const channelsWithPeriod = channels.flatMap(({ _id, name, retentionDays: days }) =>
    days ? [{ _id, name, days }] : [],
  )
  if (channelsWithPeriod.length === 0) return null
  return (
    <div className="mt-5 border-hairline border-t pt-4">
      <h3 className="font-medium text-sm">Channels with their own retention period</h3>
      <ul className="mt-2 flex flex-col gap-1 text-sm">
        {channelsWithPeriod.slice(0, maxListed).map(({ _id, name, days }) => (
          <li key={_id} className="flex justify-between gap-4">
            <span dir="auto" className="min-w-0 truncate">
              {name}
            </span>
            <span className="shrink-0 text-muted">{formatDays(days)}</span>
          </li>
        ))}
      </ul>
      {channelsWithPeriod.length > maxListed && (
        <p className="mt-1 text-muted text-sm">and {channelsWithPeriod.length - maxListed} more</p>
      )}
      <p className="mt-2 text-muted text-sm">
        To change a period, edit the channel in <TextLink to="/admin/channels">Manage Channels</TextLink>.
      </p>
    </div>
  )
}

export function ConversationsSection() {
  const { data, ...query } = useQuery(conversationSettingsQuery())
  const { data: channels = [] } = useQuery({ ...channelsQuery(), meta: { quiet: true } })
  return (
    <div className="flex flex-col gap-5">
      <SettingsSection title="Review notice" intro="Shown to everyone below the message field." query={query}>
        {data === undefined ? null : <ReviewNoticeForm settings={data.reviewNotice} />}
      </SettingsSection>
      <SettingsSection
        title="Chat retention"
        intro="Chats with no new messages during the retention period are deleted once a day. Users see the period on the channel screen."
        query={query}
      >
        {data === undefined ? null : (
          <>
            <RetentionForm settings={data.retention} />
            <ChannelRetentionList channels={channels} />
          </>
        )}
      </SettingsSection>
    </div>
  )
}
