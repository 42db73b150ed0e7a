import type { Invitation } from '@lyceum/contract/invitations'
import { Ban, CircleCheck, Clock, Hourglass, type LucideIcon, MailPlus, RotateCw, Trash2 } from 'lucide-react'
import { formatDateTime } from '#lib/date-time.ts'
import { formatCount } from '#lib/format-count.ts'
import { banner } from '#ui/banner.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Status, type Tone } from '#ui/Status.tsx'
import { type Column, Table } from '#ui/Table.tsx'
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

/** Breaks after the @ sign at first, so that a narrow column does not cut a word. */
function EmailAddress({ email }: { email: string }) {
  const at = email.indexOf('@') + 1
  return (
    <span className="wrap-break-word">
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
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
  const { status, fullName } = invitation
  if (status === 'accepted') return <span className="text-muted">—</span>
  function guard(action: (invitation: Invitation) => void) {
    return (): void => (refusal === null ? action(invitation) : banner.error(refusal))
  }
  const isResending = resendingId === invitation._id
  return (
    <div className="flex justify-end gap-1">
      {status === 'pending' && (
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
        icon={status === 'pending' ? Ban : Trash2}
        tone="danger"
        label={
          status === 'pending'
            ? `Cancel the invitation for ${fullName}`
            : `Delete the expired invitation for ${fullName}`
        }
        tooltipAlign="end"
        tip={refusal ?? (status === 'pending' ? 'Cancel' : 'Delete')}
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
      cell: ({ email }) => <EmailAddress email={email} />,
    },
    {
      header: 'Name',
      cell: ({ fullName, role }) => (
        <>
          <bdi className="wrap-anywhere">{fullName}</bdi>
          {role === 'admin' && <span className="block text-muted text-xs">as administrator</span>}
        </>
      ),
    },
    { header: 'Status', cell: ({ status }) => <InvitationStatus status={status} /> },
    {
      header: 'Invited By',
      hideBelow: 'xl',
      cell: ({ invitedBy }) => (
        <span dir="auto" className="wrap-anywhere">
          {invitedBy === null || invitedBy.name === '' ? '—' : invitedBy.name}
        </span>
      ),
    },
    {
      header: 'Channels',
      hideBelow: 'md',
      cell: ({ allowedChannels, fullName }) => <InvitedChannels ids={allowedChannels} fullName={fullName} />,
    },
    {
      header: '2FA Expiry',
      hideBelow: 'lg',
      cell: (invitation) => <span className="whitespace-nowrap">{formatTwoFactorExpiry(invitation)}</span>,
    },
    {
      header: 'Expires',
      hideBelow: 'lg',
      cell: ({ status, expiresAt }) =>
        // An accepted invitation no longer expires.
        status === 'accepted' ? '—' : <time dateTime={expiresAt}>{formatDateTime(expiresAt)}</time>,
    },
    {
      header: 'Actions',
      hidesHeader: true,
      align: 'end',
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
      empty={<EmptyState icon={MailPlus}>No pending invitations.</EmptyState>}
    />
  )
}
