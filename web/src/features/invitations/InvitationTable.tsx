import type { Invitation } from '@lyceum/contract/invitations'
import { Ban, CircleCheck, Clock, Ellipsis, Hourglass, type LucideIcon, RotateCw, Trash2 } from 'lucide-react'
import { formatCount } from '#lib/format-count.ts'
import { phoneQuery, useMediaQuery } from '#lib/use-media-query.ts'
import { banner } from '#ui/banner.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { Menu } from '#ui/Menu.tsx'
import type { MenuItem } from '#ui/OpenMenu.tsx'
import { Status, type Tone } from '#ui/Status.tsx'
import { type Column, Table } from '#ui/Table.tsx'
import { Timestamp } from '#ui/Timestamp.tsx'
import { InvitedChannels } from './InvitedChannels.tsx'

const statusLabels: Record<Invitation['status'], { tone: Tone; icon: LucideIcon; label: string }> = {
  pending: { tone: 'info', icon: Clock, label: 'Pending' },
  accepted: { tone: 'success', icon: CircleCheck, label: 'Accepted' },
  expired: { tone: 'warning', icon: Hourglass, label: 'Expired' },
}

function InvitationStatus({ status }: { status: Invitation['status'] }) {
  const { tone, icon, label } = statusLabels[status]
  return (
    <Status tone={tone} icon={icon}>
      {label}
    </Status>
  )
}

function formatTwoFactorExpiry({ twoFactorExpiryEnabled, twoFactorExpiryDays: days }: Invitation): string {
  if (!twoFactorExpiryEnabled) return 'Off'
  return formatCount(days, 'day')
}

/** In a table the address stays on one line. Where it is too long, its title has all of it. */
function EmailAddress({ email }: { email: string }) {
  return (
    <span
      title={email}
      className="max-sm:wrap-anywhere sm:block sm:max-w-40 sm:truncate lg:max-w-48 xl:max-w-64"
    >
      {email}
    </span>
  )
}

interface ActionsProps {
  /** The reason why the viewer cannot change invitations. */
  refusal: string | null
  resendingId: string | undefined
  onResend: (invitation: Invitation) => void
  onRemove: (invitation: Invitation) => void
}

function Actions({
  invitation,
  refusal,
  resendingId,
  onResend,
  onRemove,
}: ActionsProps & { invitation: Invitation }) {
  const isPhone = useMediaQuery(phoneQuery)
  const { status, fullName } = invitation
  if (status === 'accepted') return <span className="text-muted">—</span>
  function guard(action: (invitation: Invitation) => void) {
    return (): void => (refusal === null ? action(invitation) : banner.error(refusal))
  }
  const isResending = resendingId === invitation._id
  const isPending = status === 'pending'
  const removeLabel = isPending
    ? `Cancel the invitation for ${fullName}`
    : `Delete the expired invitation for ${fullName}`
  if (isPhone) {
    const remove: MenuItem = {
      label: isPending ? 'Cancel invitation' : 'Delete invitation',
      icon: isPending ? Ban : Trash2,
      tone: 'danger',
      onChoose: guard(onRemove),
    }
    const resend: MenuItem = {
      label: 'Resend invitation',
      icon: RotateCw,
      onChoose: () => !isResending && guard(onResend)(),
    }
    return (
      <Menu
        icon={Ellipsis}
        label={`Actions for the invitation for ${fullName}`}
        tip="Actions"
        items={isPending ? [resend, remove] : [remove]}
      />
    )
  }
  return (
    <div className="flex justify-end gap-1">
      {isPending && (
        <IconButton
          icon={RotateCw}
          label={`Resend the invitation for ${fullName}`}
          tooltipAlign="end"
          tip={refusal ?? 'Resend'}
          aria-description={refusal ?? undefined}
          aria-disabled={refusal !== null || isResending}
          aria-busy={isResending || undefined}
          onClick={isResending ? undefined : guard(onResend)}
        />
      )}
      <IconButton
        icon={isPending ? Ban : Trash2}
        tone="danger"
        label={removeLabel}
        tooltipAlign="end"
        tip={refusal ?? (isPending ? 'Cancel' : 'Delete')}
        aria-description={refusal ?? undefined}
        aria-disabled={refusal !== null}
        onClick={guard(onRemove)}
      />
    </div>
  )
}

function createColumns(actions: ActionsProps): Column<Invitation>[] {
  return [
    {
      header: 'Email',
      isRowHeader: true,
      hidesHeader: true,
      card: 'line',
      cell: ({ email }) => <EmailAddress email={email} />,
    },
    {
      header: 'Name',
      hidesHeader: true,
      card: 'title',
      cell: ({ fullName, role }) => (
        <>
          <bdi className="wrap-anywhere block sm:min-w-28 xl:min-w-36">{fullName}</bdi>
          {role === 'admin' && <span className="block text-muted text-xs">as administrator</span>}
        </>
      ),
    },
    {
      header: 'Status',
      hidesHeader: true,
      card: 'label',
      cell: ({ status }) => <InvitationStatus status={status} />,
    },
    {
      header: 'Invited By',
      hideBelow: 'xl',
      cell: ({ invitedBy }) => (
        <span dir="auto" className="wrap-anywhere xl:block xl:min-w-20">
          {invitedBy === null || invitedBy.name === '' ? '—' : invitedBy.name}
        </span>
      ),
    },
    {
      header: 'Channels',
      hideBelow: 'md',
      card: 'detail',
      cell: ({ allowedChannels, fullName }) => <InvitedChannels ids={allowedChannels} fullName={fullName} />,
    },
    {
      header: '2FA Expiry',
      hideBelow: 'lg',
      card: 'detail',
      cell: (invitation) => <span className="whitespace-nowrap">{formatTwoFactorExpiry(invitation)}</span>,
    },
    {
      header: 'Expires',
      hideBelow: 'lg',
      card: 'lastDetail',
      isBlank: ({ status }) => status === 'accepted',
      cell: ({ status, expiresAt }) =>
        // An accepted invitation no longer expires.
        status === 'accepted' ? '—' : <Timestamp at={expiresAt} />,
    },
    {
      header: 'Actions',
      hidesHeader: true,
      align: 'end',
      card: 'actions',
      isBlank: ({ status }) => status === 'accepted',
      cell: (invitation) => <Actions {...actions} invitation={invitation} />,
    },
  ]
}

export function InvitationTable({
  invitations,
  ...actions
}: ActionsProps & { invitations: readonly Invitation[] }) {
  return (
    <Table
      caption="Invitations"
      columns={createColumns(actions)}
      rows={invitations}
      getKey={({ _id }) => _id}
      empty={<p className="px-4 py-3 text-muted text-sm">No pending invitations.</p>}
    />
  )
}
