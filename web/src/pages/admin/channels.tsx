import type { Channel } from '@lyceum/contract/channels'
import { useState } from 'react'
import { ChannelAdminCard } from '#features/channels/ChannelAdminCard.tsx'
import { ChannelCards } from '#features/channels/ChannelCards.tsx'
import { ChannelDialog } from '#features/channels/ChannelDialog.tsx'
import { ChannelsHeader } from '#features/channels/ChannelsHeader.tsx'
import { DeleteChannelDialog } from '#features/channels/DeleteChannelDialog.tsx'
import { MembersDialog } from '#features/channels/MembersDialog.tsx'
import { PermissionsDialog } from '#features/channels/PermissionsDialog.tsx'
import { ChannelDocuments } from '#features/documents/ChannelDocuments.tsx'
import { MaintenanceDialog } from '#features/documents/MaintenanceDialog.tsx'
import { TestBenchDialog } from '#features/documents/TestBenchDialog.tsx'
import { UploadDialog } from '#features/documents/UploadDialog.tsx'
import { UploadNote } from '#features/documents/UploadNote.tsx'
import { useFreshAfterUpload } from '#features/documents/use-uploads.ts'
import { NoticeBanner } from '#ui/NoticeBanner.tsx'

type Opened =
  | { window: 'permissions' | 'maintenance' | 'create' }
  | { window: 'edit' | 'members' | 'upload' | 'test' | 'delete'; channel: Channel }

export const ChannelsPage = () => {
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = (): void => setOpened(null)
  useFreshAfterUpload()
  return (
    <div className="flex-1 bg-surface">
      <NoticeBanner className="top-28 px-4" />
      <div className="mx-auto flex w-full max-w-7xl flex-col gap-5 px-4 py-6 md:px-6 md:py-8">
        <ChannelsHeader
          onPermissions={() => setOpened({ window: 'permissions' })}
          onMaintenance={() => setOpened({ window: 'maintenance' })}
          onCreate={() => setOpened({ window: 'create' })}
        />
        <ChannelCards>
          {(channel) => {
            const upload = (): void => setOpened({ window: 'upload', channel })
            return (
              <ChannelAdminCard
                channel={channel}
                onUpload={upload}
                onTest={() => setOpened({ window: 'test', channel })}
                onMembers={() => setOpened({ window: 'members', channel })}
                onEdit={() => setOpened({ window: 'edit', channel })}
                onDelete={() => setOpened({ window: 'delete', channel })}
                uploads={<UploadNote channelId={channel._id} onOpen={upload} />}
                documents={<ChannelDocuments channel={channel} />}
              />
            )
          }}
        </ChannelCards>
      </div>
      <PermissionsDialog open={opened?.window === 'permissions'} onClose={close} />
      <MaintenanceDialog open={opened?.window === 'maintenance'} onClose={close} />
      {opened?.window === 'create' && <ChannelDialog channel={null} onClose={close} />}
      {opened?.window === 'edit' && <ChannelDialog channel={opened.channel} onClose={close} />}
      {opened?.window === 'delete' && <DeleteChannelDialog channel={opened.channel} onClose={close} />}
      {opened?.window === 'members' && <MembersDialog channel={opened.channel} onClose={close} />}
      {opened?.window === 'test' && <TestBenchDialog channel={opened.channel} onClose={close} />}
      {opened?.window === 'upload' && <UploadDialog channel={opened.channel} onClose={close} />}
    </div>
  )
}
