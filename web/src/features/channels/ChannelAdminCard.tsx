import type { Channel } from '@lyceum/contract/channels'
import { getRefusalText } from '@lyceum/contract/permissions'
import { useQuery } from '@tanstack/react-query'
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
  PanelsTopLeft,
  Pencil,
  Trash2,
  Upload,
  Users,
} from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { assistantStatusQuery } from '#features/assistants/queries.ts'
import { usePermissionCheck } from '#features/auth/use-can.ts'
import { formatCount } from '#lib/format-count.ts'
import { phoneQuery, useMediaQuery } from '#lib/use-media-query.ts'
import { getAvatarColor } from '#ui/avatar-colors.ts'
import { Button } from '#ui/Button.tsx'
import { buttonStyle } from '#ui/button-style.ts'
import { cx } from '#ui/cx.ts'
import { Link } from '#ui/Link.tsx'
import { Menu } from '#ui/Menu.tsx'
import type { MenuItem } from '#ui/OpenMenu.tsx'
import { Badge, Status } from '#ui/Status.tsx'
import { getCardId, useFocusAfterRemoval } from './card-focus.ts'
import { CardWarning, LackNote } from './LackNote.tsx'
import { isOwnChannel } from './queries.ts'

interface Props {
  channel: Channel
  onUpload: () => void
  onTest: () => void
  onMembers: () => void
  onLimits: () => void
  onEdit: () => void
  onDelete: () => void
  onEmbed: () => void
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

function useBadges(channel: Channel): string[] {
  const { data: status } = useQuery(assistantStatusQuery())
  const isModelMissing = status?.mode === 'extractive'
  const { useAssistant, llmModel = '', embeddedSiteCount = 0 } = channel
  const badges: [isShown: boolean, text: string][] = [
    [true, useAssistant ? 'Ready-made Assistant' : 'Custom System Prompt'],
    [!useAssistant && llmModel !== '', isModelMissing ? 'No model is connected' : llmModel],
    [channel.strictDocumentsOnly === true, 'Documents only'],
    [channel.isArchived === true, 'Archived'],
    [channel.allowProposals === true, 'Proposals allowed'],
    [embeddedSiteCount > 0, `Used on ${formatCount(embeddedSiteCount, 'site')}`],
    [channel.allowsVisitors === true, 'Visitors allowed'],
  ]
  return badges.flatMap(([isShown, text]) => (isShown ? text : []))
}

function Title({ channel, badges }: { channel: Channel; badges: readonly string[] }) {
  const Icon = channel.useAssistant ? Bot : MessageSquareText
  return (
    <div className="flex min-w-0 gap-3 max-sm:items-center">
      <span
        className={cx(
          'flex size-10 shrink-0 items-center justify-center rounded-control',
          getAvatarColor(channel._id),
        )}
      >
        <Icon aria-hidden="true" className="size-5" strokeWidth={1.75} />
      </span>
      <div className="min-w-0">
        <h2
          title={channel.name}
          className="-m-1 wrap-anywhere line-clamp-3 p-1 font-semibold text-base leading-6"
        >
          {isOwnChannel(channel) ? (
            <Link
              to={`/channels/${channel._id}`}
              className="underline-offset-4 hover:text-link hover:underline focus-visible:text-link focus-visible:underline"
            >
              <bdi>{channel.name}</bdi>
            </Link>
          ) : (
            <bdi>{channel.name}</bdi>
          )}
        </h2>
        {badges.length > 0 && (
          <div className="mt-1 flex flex-wrap gap-1.5">
            {badges.map((text) => (
              <Badge key={text}>{text}</Badge>
            ))}
          </div>
        )}
      </div>
    </div>
  )
}

function Restricted() {
  const can = usePermissionCheck()
  const missing = cardPermissions.filter((permission) => !can(permission))
  if (missing.length === 0) return null
  return (
    <span title={missing.map(getRefusalText).join('\n')}>
      <Status tone="neutral" icon={Lock}>
        Restricted
      </Status>
      <span className="sr-only">{`${missing.map(getRefusalText).join('. ')}.`}</span>
    </span>
  )
}

type ActionsProps = Omit<Props, 'uploads' | 'documents'>

interface CardAction extends MenuItem {
  count?: number | undefined
}

/** The actions that are used most. They are buttons where there is room. */
const buttonLabels: ReadonlySet<string> = new Set(['Upload', 'Members', 'Edit'])

function useMainActions(props: ActionsProps): CardAction[] {
  const { channel, onUpload, onTest, onMembers, onLimits, onEdit, onDelete } = props
  const can = usePermissionCheck()
  const hasDocuments = channel.useAssistant !== true
  const actions: [isOffered: boolean, action: CardAction][] = [
    [
      hasDocuments && channel.isArchived !== true && can('canUploadDocuments'),
      { label: 'Upload', icon: Upload, onChoose: onUpload },
    ],
    [
      hasDocuments && can('canManageDocuments'),
      { label: 'Test bench', icon: FlaskConical, onChoose: onTest },
    ],
    [
      can('canManageUsers'),
      { label: 'Members', icon: Users, count: channel.memberCount, onChoose: onMembers },
    ],
    [can('canEditChannels'), { label: 'Limits', icon: Gauge, onChoose: onLimits }],
    [can('canEditChannels'), { label: 'Edit', icon: Pencil, onChoose: onEdit }],
    [
      can('canDeleteChannels'),
      { label: 'Delete', icon: Trash2, tone: 'danger', startsGroup: true, onChoose: onDelete },
    ],
  ]
  return actions.flatMap(([isOffered, action]) => (isOffered ? action : []))
}

function useFurtherActions(props: ActionsProps): MenuItem[] {
  const { channel, onEmbed, onDuplicate, onArchive, onRestore } = props
  const can = usePermissionCheck()
  const archiveItem: MenuItem =
    channel.isArchived === true
      ? { label: 'Restore', icon: ArchiveRestore, onChoose: onRestore }
      : { label: 'Archive', icon: Archive, onChoose: onArchive }
  const items: MenuItem[] = [
    ...(can('canEditChannels')
      ? [{ label: 'Embed on other sites', icon: PanelsTopLeft, onChoose: onEmbed }]
      : []),
    ...(can('canCreateChannels') ? [{ label: 'Duplicate', icon: Copy, onChoose: onDuplicate }] : []),
    ...(can('canEditChannels') ? [archiveItem] : []),
  ]
  return items.map((item, index) => ({ ...item, startsGroup: index === 0 }))
}

function ActionButton({ action, channel }: { action: CardAction; channel: Channel }) {
  const { label, icon: Icon, count, onChoose } = action
  return (
    <Button size="small" aria-description={channel.name} onClick={onChoose}>
      <Icon aria-hidden="true" className="size-4" />
      {label}{' '}
      {count !== undefined && (
        <span className="font-normal text-muted tabular-nums">{count.toLocaleString()}</span>
      )}
    </Button>
  )
}

/** Buttons for the most used actions and a menu of the others. On phones, the menu has all of them. */
function Actions(props: ActionsProps) {
  const { channel } = props
  const isPhone = useMediaQuery(phoneQuery)
  const [, navigate] = useLocation()
  const path = `/channels/${channel._id}`
  const openItem: MenuItem = { label: 'Open channel', icon: ArrowRight, onChoose: () => navigate(path) }
  const mainActions = useMainActions(props)
  const furtherActions = useFurtherActions(props)
  // Deleting comes last.
  const allActions = [...mainActions, ...furtherActions].sort(
    (one, other) => Number(one.tone === 'danger') - Number(other.tone === 'danger'),
  )
  const menuItems = isPhone
    ? [...(isOwnChannel(channel) ? [openItem] : []), ...allActions]
    : allActions.filter(({ label }) => !buttonLabels.has(label))
  return (
    <div className="ms-auto flex flex-wrap items-center gap-2">
      {!isPhone && <Restricted />}
      {!isPhone && isOwnChannel(channel) && (
        <Link to={path} aria-description={channel.name} className={buttonStyle('secondary', 'small')}>
          <ArrowRight aria-hidden="true" className="size-4" />
          Open channel
        </Link>
      )}
      {!isPhone &&
        mainActions
          .filter(({ label }) => buttonLabels.has(label))
          .map((action) => <ActionButton key={action.label} action={action} channel={channel} />)}
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
    <div className="rounded-control bg-surface px-3 py-2 sm:flex sm:items-baseline sm:gap-3 sm:py-1 dark:bg-page">
      <p className="shrink-0 text-muted text-xs">{channel.useAssistant ? 'Assistant ID' : 'System prompt'}</p>
      <p
        dir="auto"
        className="wrap-anywhere mt-0.5 line-clamp-3 whitespace-pre-line text-start text-sm sm:mt-0"
      >
        {text}
      </p>
    </div>
  )
}

/** A channel in the admin area. */
export function ChannelAdminCard({ channel, uploads, documents, ...actions }: Props) {
  const can = usePermissionCheck()
  const listId = useId()
  const card = useRef<HTMLElement>(null)
  useFocusAfterRemoval(card)
  const [isOpen, setIsOpen] = useState(false)
  const isPhone = useMediaQuery(phoneQuery)
  const badges = useBadges(channel)
  const { documentCount = 0 } = channel
  const hasDocumentCount = channel.useAssistant !== true || documentCount > 0
  const documentCountText = formatCount(documentCount, 'document')
  return (
    <article
      ref={card}
      id={getCardId(channel)}
      data-shows-documents={isOpen || undefined}
      className="flex h-full flex-col rounded-card border border-hairline bg-raised"
    >
      <div className="flex grow flex-col gap-3 p-4">
        <div className="flex items-start gap-3">
          <Title channel={channel} badges={isPhone ? [] : badges} />
          {isPhone && <Actions channel={channel} {...actions} />}
        </div>
        {isPhone && (
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
            <Restricted />
            <p className="text-muted text-xs">{badges.join(' · ')}</p>
          </div>
        )}
        <p className="wrap-anywhere line-clamp-3 text-muted text-sm">
          <bdi>{channel.description}</bdi>
        </p>
        <Prompt channel={channel} />
        {channel.warning !== undefined && <CardWarning>{channel.warning}</CardWarning>}
        <LackNote channel={channel} onUpload={actions.onUpload} />
        <div className="mt-auto flex flex-wrap items-center gap-x-3 gap-y-2">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-muted text-sm tabular-nums empty:hidden max-sm:-mb-1">
            {!hasDocumentCount ? null : can('canManageDocuments') ? (
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
          {!isPhone && <Actions channel={channel} {...actions} />}
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
