import type { Channel } from '@lyceum/contract/channels'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { messageOf } from '#api/api-error.ts'
import { useCan } from '#features/auth/use-can.ts'
import { ArchiveChannelDialog } from '#features/channels/ArchiveChannelDialog.tsx'
import { ChannelAdminCard } from '#features/channels/ChannelAdminCard.tsx'
import { ChannelAdminHeader } from '#features/channels/ChannelAdminHeader.tsx'
import { ChannelAdminList } from '#features/channels/ChannelAdminList.tsx'
import { showChannelCard } from '#features/channels/card-focus.ts'
import { DeleteChannelDialog } from '#features/channels/DeleteChannelDialog.tsx'
import { OwnPermissionsDialog } from '#features/channels/members/OwnPermissionsDialog.tsx'
import { useSetArchived } from '#features/channels/mutations.ts'
import { channelQuery, isOwnChannel } from '#features/channels/queries.ts'
import { ChannelDocuments } from '#features/documents/ChannelDocuments.tsx'
import { UploadNote } from '#features/documents/upload/UploadNote.tsx'
import { useRefetchAfterUpload } from '#features/documents/upload/use-uploads.ts'
import { lazyComponent } from '#lib/lazy-component.tsx'
import { texts as memberTexts } from '#texts/member.ts'
import type { BannerAction } from '#ui/banner.ts'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { toast } from '#ui/toast.ts'

// Loaded on demand: together the dialogs are larger than the list, and a visit rarely opens all of them.
const ChannelDialog = lazyComponent(
  async () => (await import('#features/channels/form/ChannelDialog.tsx')).ChannelDialog,
)
const MembersDialog = lazyComponent(
  async () => (await import('#features/channels/members/MembersDialog.tsx')).MembersDialog,
)
const LimitsDialog = lazyComponent(
  async () => (await import('#features/chats/quotas/ChannelLimitsDialog.tsx')).ChannelLimitsDialog,
)
const EmbeddingDialog = lazyComponent(
  async () => (await import('#features/embedding/EmbeddingDialog.tsx')).EmbeddingDialog,
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

type OpenDialog =
  | { kind: 'permissions' | 'maintenance' | 'create' }
  | {
      kind: 'edit'
      channel: Channel
      startsAtAssistant?: boolean
      nextStep?: BannerAction | undefined
      findFocusTarget?: () => HTMLElement | null
    }
  | { kind: 'upload'; channel: Channel; findFocusTarget?: () => HTMLElement | null }
  | { kind: 'members' | 'limits' | 'test' | 'embed' | 'duplicate' | 'archive' | 'delete'; channel: Channel }

interface DialogProps {
  dialog: OpenDialog
  close: () => void
}

function ActiveDialog({ dialog, close }: DialogProps) {
  const lazyProps = {
    open: true,
    onLoadError: (): void => {
      toast.error('This part of the page could not be loaded. Please check your connection.')
      close()
    },
  }
  switch (dialog.kind) {
    case 'permissions':
      return <OwnPermissionsDialog open onClose={close} />
    case 'maintenance':
      return <MaintenanceDialog {...lazyProps} props={{ open: true, onClose: close }} />
    case 'create':
      return <ChannelDialog {...lazyProps} props={{ channel: null, onClose: close }} />
    case 'duplicate':
      return (
        <ChannelDialog {...lazyProps} props={{ channel: null, original: dialog.channel, onClose: close }} />
      )
    case 'edit':
      return <ChannelDialog {...lazyProps} props={{ ...dialog, onClose: close }} />
    case 'archive':
      return <ArchiveChannelDialog channel={dialog.channel} onClose={close} />
    case 'delete':
      return <DeleteChannelDialog channel={dialog.channel} onClose={close} />
    case 'members':
      return <MembersDialog {...lazyProps} props={{ channel: dialog.channel, onClose: close }} />
    case 'limits':
      return <LimitsDialog {...lazyProps} props={{ channel: dialog.channel, onClose: close }} />
    case 'embed':
      return <EmbeddingDialog {...lazyProps} props={{ channel: dialog.channel, onClose: close }} />
    case 'test':
      return <TestBenchDialog {...lazyProps} props={{ channel: dialog.channel, onClose: close }} />
    case 'upload':
      return <UploadDialog {...lazyProps} props={{ ...dialog, onClose: close }} />
  }
}

export function ChannelsPage() {
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const canCreate = useCan('canCreateChannels')
  const restore = useSetArchived(false)
  const [params, setParams] = useSearchParams()
  const isNewRequested = params.has('new')
  const editedId = params.get('edit')
  const requestedId = editedId ?? params.get('upload')
  const startsAtAssistant = params.get('field') === 'assistant'
  const canEdit = useCan('canEditChannels')
  const canUpload = useCan('canUploadDocuments')
  const client = useQueryClient()
  const [, navigate] = useLocation()
  /** A link from the channel may have opened the form, so its user may want to go back. */
  const offerChannel = useEffectEvent((channel: Channel): BannerAction | undefined =>
    isOwnChannel(channel)
      ? {
          label: 'Open channel',
          run: () => navigate(`/channels/${channel._id}`),
          returnFocus: () => null,
        }
      : undefined,
  )
  // Links to this page can open the form. The parameter is removed, so that a reload does not open it again.
  useEffect(() => {
    if (!isNewRequested) return
    if (canCreate) setDialog({ kind: 'create' })
    setParams(new URLSearchParams(), { replace: true })
  }, [isNewRequested, canCreate, setParams])
  useEffect(() => {
    if (requestedId === null) return
    setParams(new URLSearchParams(), { replace: true })
    const isEdit = editedId !== null
    if (!(isEdit ? canEdit : canUpload)) return
    client.fetchQuery(channelQuery(requestedId)).then(
      (channel) => {
        const requested = { channel, findFocusTarget: () => showChannelCard(channel) }
        setDialog(
          isEdit
            ? { kind: 'edit', ...requested, startsAtAssistant, nextStep: offerChannel(channel) }
            : { kind: 'upload', ...requested },
        )
      },
      (error: Error) => toast.error(messageOf(error, memberTexts.chat.loadChannelFailed)),
    )
  }, [requestedId, editedId, startsAtAssistant, canEdit, canUpload, client, setParams])
  function close(): void {
    setDialog(null)
  }
  useRefetchAfterUpload()
  return (
    <div className="flex-1 bg-surface">
      <ResultBanner />
      <div className="mx-auto flex w-full max-w-7xl flex-col gap-5 px-4 py-6 md:px-6 md:py-8">
        <ChannelAdminHeader
          onPermissions={() => setDialog({ kind: 'permissions' })}
          onMaintenance={() => setDialog({ kind: 'maintenance' })}
          onCreate={() => setDialog({ kind: 'create' })}
        />
        <ChannelAdminList>
          {(channel) => {
            function upload(): void {
              setDialog({ kind: 'upload', channel })
            }
            return (
              <ChannelAdminCard
                channel={channel}
                onUpload={upload}
                onTest={() => setDialog({ kind: 'test', channel })}
                onMembers={() => setDialog({ kind: 'members', channel })}
                onLimits={() => setDialog({ kind: 'limits', channel })}
                onEdit={() => setDialog({ kind: 'edit', channel })}
                onEmbed={() => setDialog({ kind: 'embed', channel })}
                onDuplicate={() => setDialog({ kind: 'duplicate', channel })}
                onArchive={() => setDialog({ kind: 'archive', channel })}
                onRestore={() => restore.mutate(channel)}
                onDelete={() => setDialog({ kind: 'delete', channel })}
                uploads={<UploadNote channelId={channel._id} onOpen={upload} />}
                documents={<ChannelDocuments channel={channel} />}
              />
            )
          }}
        </ChannelAdminList>
      </div>
      {dialog !== null && <ActiveDialog dialog={dialog} close={close} />}
    </div>
  )
}
