import type { Channel } from '@lyceum/contract/channels'
import { getRefusalText } from '@lyceum/contract/permissions'
import {
  Archive,
  ArchiveRestore,
  ArrowRight,
  Bot,
  ChevronRight,
  Copy,
  Ellipsis,
  FileText,
  FlaskConical,
  Gauge,
  Lock,
  MessageSquareText,
  Pencil,
  Trash2,
  TriangleAlert,
  Upload,
  Users,
} from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { usePermissionCheck } from '#features/auth/use-can.ts'
import { formatCount } from '#lib/format-count.ts'
import { Button } from '#ui/Button.tsx'
import { buttonStyle } from '#ui/button-style.ts'
import { cx } from '#ui/cx.ts'
import { Link } from '#ui/Link.tsx'
import { Menu } from '#ui/Menu.tsx'
import type { MenuItem } from '#ui/OpenMenu.tsx'
import { Badge, Status } from '#ui/Status.tsx'
import { isOwnChannel } from './queries.ts'

interface Props {
  channel: Channel
  onUpload: () => void
  onTest: () => void
  onMembers: () => void
  onLimits: () => void
  onEdit: () => void
  onDelete: () => void
  onDuplicate: () => void
  onArchive: () => void
  onRestore: () => void
  /** Shows running uploads beside the counts. */
  uploads: ReactNode
  /** The document list that the count expands. */
  documents: ReactNode
}

const cardPermissions = [
  'canUploadDocuments',
  'canManageUsers',
  'canEditChannels',
  'canDeleteChannels',
] as const

function Title({ channel }: { channel: Channel }) {
  const Icon = channel.useAssistant ? Bot : MessageSquareText
  return (
    <div className="flex min-w-0 flex-1 gap-3">
      <span className="flex size-10 shrink-0 items-center justify-center rounded-control bg-accent-soft text-link">
        <Icon aria-hidden="true" className="size-5" strokeWidth={1.75} />
      </span>
      <div className="min-w-0">
        <h2
          dir="auto"
          title={channel.name}
          className="wrap-anywhere line-clamp-3 text-start font-semibold text-base leading-6"
        >
          {channel.name}
        </h2>
        <div className="mt-1 flex flex-wrap gap-1.5">
          <Badge>{channel.useAssistant ? 'Ready-made Assistant' : 'Custom System Prompt'}</Badge>
          {!channel.useAssistant && channel.llmModel && <Badge>{channel.llmModel}</Badge>}
          {channel.strictDocumentsOnly && <Badge>Documents only</Badge>}
          {channel.isArchived && <Badge>Archived</Badge>}
          {channel.allowProposals && <Badge>Proposals allowed</Badge>}
        </div>
      </div>
    </div>
  )
}

type ActionsProps = Omit<Props, 'uploads' | 'documents'>

function useMenuItems({ channel, onDuplicate, onArchive, onRestore }: ActionsProps): MenuItem[] {
  const can = usePermissionCheck()
  const archiveItem: MenuItem =
    channel.isArchived === true
      ? { label: 'Restore', icon: ArchiveRestore, onChoose: onRestore }
      : { label: 'Archive', icon: Archive, onChoose: onArchive }
  return [
    ...(can('canCreateChannels') ? [{ label: 'Duplicate', icon: Copy, onChoose: onDuplicate }] : []),
    ...(can('canEditChannels') ? [archiveItem] : []),
  ]
}

function Actions(props: ActionsProps) {
  const { channel, onUpload, onTest, onMembers, onLimits, onEdit, onDelete } = props
  const can = usePermissionCheck()
  const menuItems = useMenuItems(props)
  const missing = cardPermissions.filter((permission) => !can(permission))
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2">
      {missing.length > 0 && (
        <span title={missing.map(getRefusalText).join('\n')}>
          <Status tone="neutral" icon={Lock}>
            Restricted
          </Status>
          <span className="sr-only">{`${missing.map(getRefusalText).join('. ')}.`}</span>
        </span>
      )}
      {isOwnChannel(channel) && (
        <Link
          to={`/channels/${channel._id}`}
          aria-description={channel.name}
          className={buttonStyle('secondary', 'small')}
        >
          <ArrowRight aria-hidden="true" className="size-4" />
          Open channel
        </Link>
      )}
      {!channel.useAssistant && channel.isArchived !== true && can('canUploadDocuments') && (
        <Button size="small" aria-description={channel.name} onClick={onUpload}>
          <Upload aria-hidden="true" className="size-4" />
          Upload
        </Button>
      )}
      {!channel.useAssistant && can('canManageDocuments') && (
        <Button size="small" aria-description={channel.name} onClick={onTest}>
          <FlaskConical aria-hidden="true" className="size-4" />
          Test bench
        </Button>
      )}
      {can('canManageUsers') && (
        <Button size="small" aria-description={channel.name} onClick={onMembers}>
          <Users aria-hidden="true" className="size-4" />
          Members{' '}
          {channel.memberCount !== undefined && (
            <span className="font-normal text-muted tabular-nums">
              {channel.memberCount.toLocaleString()}
            </span>
          )}
        </Button>
      )}
      {can('canEditChannels') && (
        <Button size="small" aria-description={channel.name} onClick={onLimits}>
          <Gauge aria-hidden="true" className="size-4" />
          Limits
        </Button>
      )}
      {can('canEditChannels') && (
        <Button size="small" aria-description={channel.name} onClick={onEdit}>
          <Pencil aria-hidden="true" className="size-4" />
          Edit
        </Button>
      )}
      {can('canDeleteChannels') && (
        <Button size="small" aria-description={channel.name} onClick={onDelete}>
          <Trash2 aria-hidden="true" className="size-4 text-danger" />
          Delete
        </Button>
      )}
      {menuItems.length > 0 && (
        <Menu icon={Ellipsis} label={`More actions for ${channel.name}`} tip="More" items={menuItems} />
      )}
    </div>
  )
}

function Prompt({ channel }: { channel: Channel }) {
  const text = channel.useAssistant ? channel.openaiAssistantId : channel.systemPrompt
  if (!text) return null
  return (
    <div className="rounded-control bg-surface px-3 py-2 dark:bg-page">
      <p className="text-muted text-xs">{channel.useAssistant ? 'Assistant ID' : 'System prompt'}</p>
      <p dir="auto" className="wrap-anywhere mt-0.5 line-clamp-3 whitespace-pre-line text-start text-sm">
        {text}
      </p>
    </div>
  )
}

/** A channel in the admin area. */
export function ChannelAdminCard({ channel, uploads, documents, ...actions }: Props) {
  const can = usePermissionCheck()
  const listId = useId()
  const [isOpen, setIsOpen] = useState(false)
  const documentCount = channel.documentCount ?? 0
  const documentCountText = formatCount(documentCount, 'document')
  return (
    <article className="rounded-card border border-hairline bg-raised">
      <div className="flex flex-col gap-3 p-4 sm:p-5">
        <div className="flex flex-col gap-3 lg:flex-row lg:items-start lg:justify-between">
          <Title channel={channel} />
          <Actions channel={channel} {...actions} />
        </div>
        <p dir="auto" className="wrap-anywhere line-clamp-3 text-start text-muted text-sm">
          {channel.description}
        </p>
        <Prompt channel={channel} />
        {channel.warning !== undefined && (
          <p className="flex items-start gap-2 text-sm text-warning">
            <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
            <span className="min-w-0 break-words">{channel.warning}</span>
          </p>
        )}
        <div className="-mb-1 flex flex-wrap items-center gap-x-4 gap-y-2 text-muted text-sm tabular-nums">
          {can('canManageDocuments') ? (
            <button
              type="button"
              aria-expanded={isOpen}
              aria-description={channel.name}
              aria-controls={isOpen ? listId : undefined}
              onClick={() => setIsOpen(!isOpen)}
              className="-ml-2 inline-flex min-h-8 items-center gap-1.5 rounded-control px-2 font-medium text-ink hover:bg-surface-2 pointer-coarse:min-h-11"
            >
              <ChevronRight
                aria-hidden="true"
                className={cx('size-4 text-muted transition-transform', isOpen && 'rotate-90')}
              />
              {documentCountText}
            </button>
          ) : (
            <span className="inline-flex items-center gap-1.5">
              <FileText aria-hidden="true" className="size-4" strokeWidth={1.75} />
              {documentCountText}
            </span>
          )}
          {channel.memberCount !== undefined && !can('canManageUsers') && (
            <span className="inline-flex items-center gap-1.5">
              <Users aria-hidden="true" className="size-4" strokeWidth={1.75} />
              {formatCount(channel.memberCount, 'member')}
            </span>
          )}
          {uploads}
        </div>
      </div>
      {isOpen && (
        <div id={listId} className="border-hairline border-t">
          {documents}
        </div>
      )}
    </article>
  )
}
