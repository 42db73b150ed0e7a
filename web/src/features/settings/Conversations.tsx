import type { Channel } from '@lyceum/contract/channels'
import { useQuery } from '@tanstack/react-query'
import { channelsQuery } from '#features/channels/queries.ts'
import { daysInWords } from '#lib/retention-labels.ts'
import { TextLink } from '#ui/TextLink.tsx'
import { conversationSettingsQuery } from './queries.ts'
import { RetentionForm } from './RetentionForm.tsx'
import { ReviewNoticeForm } from './ReviewNoticeForm.tsx'
import { SettingsSection } from './SettingsSection.tsx'

const listedAtMost = 12

/** Channels that keep their chats for another time than the rest. */
function OwnTimes({ channels }: { channels: readonly Channel[] }) {
  const own = channels.flatMap(({ _id, name, retentionDays: days }) => (days ? [{ _id, name, days }] : []))
  if (own.length === 0) return null
  return (
    <div className="mt-5 border-hairline border-t pt-4">
      <h3 className="font-medium text-sm">Channels with a time of their own</h3>
      <ul className="mt-2 flex flex-col gap-1 text-sm">
        {own.slice(0, listedAtMost).map(({ _id, name, days }) => (
          <li key={_id} className="flex justify-between gap-4">
            <span dir="auto" className="min-w-0 truncate">
              {name}
            </span>
            <span className="shrink-0 text-muted">{daysInWords(days)}</span>
          </li>
        ))}
      </ul>
      {own.length > listedAtMost && (
        <p className="mt-1 text-muted text-sm">and {own.length - listedAtMost} more</p>
      )}
      <p className="mt-2 text-muted text-sm">
        It is set with the channel, in <TextLink to="/admin/channels">Manage Channels</TextLink>.
      </p>
    </div>
  )
}

/** What people are told about their chats, and how long these are kept. */
export function Conversations() {
  const { data, ...query } = useQuery(conversationSettingsQuery())
  const { data: channels = [] } = useQuery({ ...channelsQuery(), meta: { quiet: true } })
  return (
    <div className="flex flex-col gap-5">
      <SettingsSection
        title="Notice that chats may be reviewed"
        intro="Everybody reads it under the field they write in."
        query={query}
      >
        {data === undefined ? null : <ReviewNoticeForm settings={data.reviewNotice} />}
      </SettingsSection>
      <SettingsSection
        title="Retention of chats"
        intro="Chats nobody has written in for so long are deleted, once a day. People see on the channel’s screen how long theirs are kept."
        query={query}
      >
        {data === undefined ? null : (
          <>
            <RetentionForm settings={data.retention} />
            <OwnTimes channels={channels} />
          </>
        )}
      </SettingsSection>
    </div>
  )
}
