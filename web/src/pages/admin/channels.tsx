import type { Channel } from '@lyceum/contract/channels'
import { useState } from 'react'
import { ChannelAdminCard } from '#features/channels/ChannelAdminCard.tsx'
import { ChannelCards } from '#features/channels/ChannelCards.tsx'
import { ChannelsHeader } from '#features/channels/ChannelsHeader.tsx'
import { DeleteChannelDialog } from '#features/channels/DeleteChannelDialog.tsx'
import { PermissionsDialog } from '#features/channels/members/PermissionsDialog.tsx'
import { ChannelDocuments } from '#features/documents/ChannelDocuments.tsx'
import { UploadNote } from '#features/documents/upload/UploadNote.tsx'
import { useRefetchAfterUpload } from '#features/documents/upload/use-uploads.ts'
import { lazyComponent } from '#lib/lazy-component.tsx'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { toast } from '#ui/toast.ts'

// The windows are more than the list they open from, and seldom does one visit open them all.
const ChannelDialog = lazyComponent(
  async () => (await import('#features/channels/form/ChannelDialog.tsx')).ChannelDialog,
)
const MembersDialog = lazyComponent(
  async () => (await import('#features/channels/members/MembersDialog.tsx')).MembersDialog,
)
const LimitsDialog = lazyComponent(
  async () => (await import('#features/chats/quotas/ChannelLimitsDialog.tsx')).ChannelLimitsDialog,
)
const MaintenanceDialog = lazyComponent(
  async () => (await import('#features/documents/maintenance/MaintenanceDialog.tsx')).MaintenanceDialog,
)
const TestBenchDialog = lazyComponent(
  async () => (await import('#features/documents/test-bench/TestBenchDialog.tsx')).TestBenchDialog,
)
const UploadDialog = lazyComponent(
  async () => (await import('#features/documents/upload/UploadDialog.tsx')).UploadDialog,
)

type Opened =
  | { window: 'permissions' | 'maintenance' | 'create' }
  | { window: 'edit' | 'members' | 'limits' | 'upload' | 'test' | 'delete'; channel: Channel }

interface WindowProps {
  opened: Opened
  close: () => void
}

function Window({ opened, close }: WindowProps) {
  const fetching = {
    open: true,
    onLoadError: (): void => {
      toast.error('This could not be loaded. Please check your connection.')
      close()
    },
  }
  switch (opened.window) {
    case 'permissions':
      return <PermissionsDialog open onClose={close} />
    case 'maintenance':
      return <MaintenanceDialog {...fetching} props={{ open: true, onClose: close }} />
    case 'create':
      return <ChannelDialog {...fetching} props={{ channel: null, onClose: close }} />
    case 'edit':
      return <ChannelDialog {...fetching} props={{ channel: opened.channel, onClose: close }} />
    case 'delete':
      return <DeleteChannelDialog channel={opened.channel} onClose={close} />
    case 'members':
      return <MembersDialog {...fetching} props={{ channel: opened.channel, onClose: close }} />
    case 'limits':
      return <LimitsDialog {...fetching} props={{ channel: opened.channel, onClose: close }} />
    case 'test':
      return <TestBenchDialog {...fetching} props={{ channel: opened.channel, onClose: close }} />
    case 'upload':
      return <UploadDialog {...fetching} props={{ channel: opened.channel, onClose: close }} />
  }
}

export function ChannelsPage() {
  const [opened, setOpened] = useState<Opened | null>(null)
  function close(): void {
    setOpened(null)
  }
  useRefetchAfterUpload()
  return (
    <div className="flex-1 bg-surface">
      <ResultBanner className="top-28 px-4" />
      <div className="mx-auto flex w-full max-w-7xl flex-col gap-5 px-4 py-6 md:px-6 md:py-8">
        <ChannelsHeader
          onPermissions={() => setOpened({ window: 'permissions' })}
          onMaintenance={() => setOpened({ window: 'maintenance' })}
          onCreate={() => setOpened({ window: 'create' })}
        />
        <ChannelCards>
          {(channel) => {
            function upload(): void {
              setOpened({ window: 'upload', channel })
            }
            return (
              <ChannelAdminCard
                channel={channel}
                onUpload={upload}
                onTest={() => setOpened({ window: 'test', channel })}
                onMembers={() => setOpened({ window: 'members', channel })}
                onLimits={() => setOpened({ window: 'limits', channel })}
                onEdit={() => setOpened({ window: 'edit', channel })}
                onDelete={() => setOpened({ window: 'delete', channel })}
                uploads={<UploadNote channelId={channel._id} onOpen={upload} />}
                documents={<ChannelDocuments channel={channel} />}
              />
            )
          }}
        </ChannelCards>
      </div>
      {opened !== null && <Window opened={opened} close={close} />}
    </div>
  )
}
