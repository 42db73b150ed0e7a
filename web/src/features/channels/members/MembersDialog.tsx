import type { Channel } from '@lyceum/contract/channels'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { channelGroupPageQuery } from '#features/groups/queries.ts'
import { Button } from '#ui/Button.tsx'
import { ChannelLine } from '#ui/ChannelLine.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Tabs } from '#ui/Tabs.tsx'
import { memberPageQuery } from '../queries.ts'
import { AddMembers } from './AddMembers.tsx'
import { ChannelGroups } from './ChannelGroups.tsx'
import { ChannelMembers } from './ChannelMembers.tsx'

interface Props {
  channel: Channel
  onClose: () => void
}

/** Manages a channel's members. Every change applies immediately. */
export function MembersDialog({ channel, onClose }: Props) {
  const [tab, setTab] = useState<'members' | 'add' | 'groups'>('members')
  const { data } = useQuery(memberPageQuery(channel._id, 1, ''))
  const count = data?.total ?? channel.memberCount ?? 0
  const groups = useQuery({ ...channelGroupPageQuery(channel._id, 1), meta: { quiet: true } })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Members"
      description={<ChannelLine channel={channel} />}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <Tabs
        label="Members of the channel"
        tabs={[
          { value: 'members', label: `Members (${count.toLocaleString()})` },
          { value: 'add', label: 'Add members' },
          {
            value: 'groups',
            label: groups.data === undefined ? 'Groups' : `Groups (${groups.data.total.toLocaleString()})`,
          },
        ]}
        value={tab}
        onChange={setTab}
      >
        {tab === 'members' && <ChannelMembers channelId={channel._id} />}
        {tab === 'add' && <AddMembers channelId={channel._id} />}
        {tab === 'groups' && <ChannelGroups channelId={channel._id} />}
      </Tabs>
    </Dialog>
  )
}
