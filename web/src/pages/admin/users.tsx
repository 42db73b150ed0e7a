import type { Invitation, InvitationResult } from '@lyceum/contract/invitations'
import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useUser } from '#features/auth/SessionProvider.tsx'
import { useCan } from '#features/auth/use-can.ts'
import { groupQuery } from '#features/groups/queries.ts'
import { InvitationLinkDialog } from '#features/invitations/InvitationLinkDialog.tsx'
import { InvitationResultsDialog } from '#features/invitations/InvitationResultsDialog.tsx'
import { InvitationTable } from '#features/invitations/InvitationTable.tsx'
import { InviteDialog } from '#features/invitations/InviteDialog.tsx'
import { useResendInvitation } from '#features/invitations/mutations.ts'
import { invitationPageQuery } from '#features/invitations/queries.ts'
import { RemoveInvitationDialog } from '#features/invitations/RemoveInvitationDialog.tsx'
import { MailTrouble } from '#features/overview/MailTrouble.tsx'
import { globalSettingsQuery } from '#features/settings/queries.ts'
import { TwoFactorFields } from '#features/two-factor/TwoFactorFields.tsx'
import { userPageQuery } from '#features/users/queries.ts'
import type { ManagedUser, UserAction } from '#features/users/UserActions.tsx'
import { UserListFilters } from '#features/users/UserListFilters.tsx'
import { UserTable } from '#features/users/UserTable.tsx'
import { useUsersView } from '#features/users/use-users-view.ts'
import { lazyComponent } from '#lib/lazy-component.tsx'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { PagedTable, RowSkeletons } from '#ui/PagedTable.tsx'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import type { OpenUserDialog } from './user-dialogs.tsx'

const UserDialogs = lazyComponent(async () => (await import('./user-dialogs.tsx')).UserDialogs)

type OpenDialog =
  | { type: 'invite' }
  | { type: 'link'; successText: string; fullName: string; link: string }
  | { type: 'results'; results: InvitationResult[] }
  | { type: 'remove-invitation'; invitation: Invitation }
  | OpenUserDialog

interface DialogsProps {
  dialog: OpenDialog
  open: (next: OpenDialog) => void
  close: () => void
  onSent: (invitation: Invitation) => void
}

function Dialogs({ dialog, open, close, onSent }: DialogsProps) {
  switch (dialog.type) {
    case 'invite':
      return (
        <InviteDialog
          onSent={onSent}
          onSentSeveral={(results) => open({ type: 'results', results })}
          onClose={close}
          renderTwoFactorFields={(form) => <TwoFactorFields form={form} subject="This user" />}
        />
      )
    case 'link':
      return <InvitationLinkDialog {...dialog} onClose={close} />
    case 'results':
      return <InvitationResultsDialog results={dialog.results} onClose={close} />
    case 'remove-invitation':
      return <RemoveInvitationDialog invitation={dialog.invitation} onClose={close} />
    default:
      return (
        <UserDialogs
          open
          onLoadError={() => {
            banner.error(texts.users.loadComponentFailed)
            close()
          }}
          props={{ dialog, open, close }}
        />
      )
  }
}

function Header({ onInvite }: { onInvite: () => void }) {
  const refusal = useCan('canCreateUsers') ? null : texts.permissions.createUsers
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <h1 className="font-semibold text-2xl">User Management</h1>
      <Button
        variant="primary"
        title={refusal ?? undefined}
        aria-description={refusal ?? undefined}
        aria-disabled={refusal !== null}
        onClick={() => (refusal === null ? onInvite() : banner.error(refusal))}
      >
        <UserPlus aria-hidden="true" className="size-4" />
        Invite User
      </Button>
    </div>
  )
}

/** The group whose members are listed, with a button that lists all users again. */
function GroupChip({ id, onClear }: { id: string; onClear: () => void }) {
  const { data } = useQuery({ ...groupQuery(id), meta: { quiet: true } })
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm">
      <span className="wrap-anywhere">
        Members of the group <bdi className="font-medium">{data?.name ?? '…'}</bdi>
      </span>
      <Button size="small" onClick={onClear}>
        Show all users
      </Button>
    </p>
  )
}

interface ListsProps {
  resendingId: string | undefined
  onResend: (invitation: Invitation) => void
  onRemove: (invitation: Invitation) => void
  onAction: (action: UserAction, user: ManagedUser) => void
}

function Lists({ onAction, ...actions }: ListsProps) {
  const viewer = useUser()
  const { page, search, role, status, order, groupId, invitationsPage, updateView } = useUsersView()
  const isFiltered = role !== null || status !== null || groupId !== null
  const canInvite = useCan('canCreateUsers')
  const invitations = useQuery(invitationPageQuery(invitationsPage))
  const users = useQuery(userPageQuery(page, search, { role, status, order, groupId }))
  // Show both lists together, because the second one to arrive would move the other.
  if (viewer === null || invitations.isPending || users.isPending) {
    return <RowSkeletons label="Loading the users…" rows={8} />
  }
  return (
    <>
      <PagedTable
        title="Users"
        list={users}
        page={page}
        onPage={(next) => updateView({ page: next })}
        failedText={texts.users.loadFailed}
        belowTitle={
          groupId !== null && <GroupChip id={groupId} onClear={() => updateView({ groupId: null })} />
        }
        toolbar={
          <UserListFilters search={search} role={role} status={status} order={order} onChange={updateView} />
        }
      >
        {(rows) => (
          <UserTable
            users={rows}
            viewer={viewer}
            onAction={onAction}
            search={search}
            onClear={
              isFiltered
                ? () => updateView({ search: '', role: null, status: null, groupId: null })
                : undefined
            }
          />
        )}
      </PagedTable>
      <PagedTable
        title="Invitations"
        anchor="invitations"
        list={invitations}
        page={invitationsPage}
        onPage={(next) => updateView({ invitationsPage: next })}
        failedText={texts.invitations.loadFailed}
        belowTitle={<MailTrouble />}
      >
        {(rows) => (
          <InvitationTable
            {...actions}
            invitations={rows}
            refusal={canInvite ? null : texts.permissions.createUsers}
          />
        )}
      </PagedTable>
    </>
  )
}

export function UsersPage() {
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  function close(): void {
    setDialog(null)
  }
  // Loaded early, because the invite dialog starts from the global settings.
  useQuery({ ...globalSettingsQuery(), meta: { quiet: true } })
  const resend = useResendInvitation()
  function showLink(successText: string) {
    return ({ fullName, link }: Invitation): void => {
      if (link !== undefined) setDialog({ type: 'link', successText, fullName, link })
    }
  }
  return (
    <div className="flex-1 bg-surface">
      <ResultBanner />
      <div className="mx-auto flex w-full max-w-7xl flex-col gap-6 px-4 py-6 md:px-6 md:py-8">
        <Header onInvite={() => setDialog({ type: 'invite' })} />
        <Lists
          resendingId={resend.isPending ? resend.variables._id : undefined}
          onResend={(invitation) =>
            resend.mutate(invitation, { onSuccess: showLink(texts.invitations.resend.done) })
          }
          onRemove={(invitation) => setDialog({ type: 'remove-invitation', invitation })}
          onAction={(type, user) => setDialog({ type, user })}
        />
      </div>
      {dialog !== null && (
        <Dialogs
          dialog={dialog}
          open={setDialog}
          close={close}
          onSent={(invitation) => {
            close()
            showLink(texts.invitations.send.done)(invitation)
          }}
        />
      )}
    </div>
  )
}
