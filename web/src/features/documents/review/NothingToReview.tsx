import type { Channel } from '@lyceum/contract/channels'
import { useQuery } from '@tanstack/react-query'
import { FileCheck, Upload } from 'lucide-react'
import { usePermissionCheck } from '#features/auth/use-can.ts'
import { channelsWithArchivedQuery } from '#features/channels/queries.ts'
import { Button } from '#ui/Button.tsx'
import { buttonStyle } from '#ui/button-style.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Link } from '#ui/Link.tsx'
import type { DocumentView } from './use-document-view.ts'

interface UploadProps {
  channelId: string
  onUpload: (channel: Channel) => void
}

/** Uploads go to one channel, so without a selected one this leads to the list of channels. */
function UploadAction({ channelId, onUpload }: UploadProps) {
  const can = usePermissionCheck()
  const { data: channels } = useQuery({ ...channelsWithArchivedQuery(), meta: { quiet: true } })
  const channel = channels?.find(({ _id }) => _id === channelId)
  const content = (
    <>
      <Upload aria-hidden="true" className="size-4" />
      Upload documents
    </>
  )
  if (!can('canUploadDocuments')) return null
  if (channel !== undefined)
    return channel.useAssistant === true || channel.isArchived === true ? null : (
      <Button onClick={() => onUpload(channel)}>{content}</Button>
    )
  if (channelId !== '' || !can('canManageChannels')) return null
  return (
    <Link to="/admin/channels" className={buttonStyle()}>
      {content}
    </Link>
  )
}

function explain({ search, uploaderId, index }: DocumentView): string | undefined {
  if (search !== '') return `No document name contains “${search}”.`
  if (uploaderId !== '') return 'Other uploads of this user may be pending, approved or rejected.'
  if (index === 'without-vectors') return 'All documents in use can be found by meaning.'
  return index === 'failed' ? 'All approved documents could be indexed.' : undefined
}

interface Props {
  view: DocumentView
  onUpload: (channel: Channel) => void
}

export function NothingToReview({ view, onUpload }: Props) {
  const hint = explain(view)
  return (
    <div className="rounded-card border border-hairline bg-raised">
      <EmptyState
        icon={FileCheck}
        hint={hint}
        action={
          hint === undefined &&
          view.status !== 'rejected' && <UploadAction channelId={view.channelId} onUpload={onUpload} />
        }
      >{`No ${view.status} documents in the selected channel to review.`}</EmptyState>
    </div>
  )
}
