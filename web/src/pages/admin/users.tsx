import type { User } from '@lyceum/contract/auth'
import type { Invitation } from '@lyceum/contract/invitations'
import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useSession, useSessionActions } from '#features/auth/SessionProvider.tsx'
import { useCan } from '#features/auth/use-can.ts'
import { UserLimitsDialog } from '#features/chats/quotas/UserLimitsDialog.tsx'
import { InvitationLinkDialog } from '#features/invitations/InvitationLinkDialog.tsx'
import { InvitationTable } from '#features/invitations/InvitationTable.tsx'
import { InviteDialog } from '#features/invitations/InviteDialog.tsx'
import { useResend } from '#features/invitations/mutations.ts'
import { invitationPageQuery } from '#features/invitations/queries.ts'
import { RemoveInvitationDialog } from '#features/invitations/RemoveInvitationDialog.tsx'
import { globalSettingsQuery } from '#features/settings/queries.ts'
import { TwoFactorFields } from '#features/two-factor/TwoFactorFields.tsx'
import { UserTwoFactorDialog } from '#features/two-factor/UserTwoFactorDialog.tsx'
import { AdminPermissionsDialog } from '#features/users/AdminPermissionsDialog.tsx'
import { ChannelAccessDialog } from '#features/users/ChannelAccessDialog.tsx'
import { DeleteUserDialog } from '#features/users/DeleteUserDialog.tsx'
import { EditUserDialog } from '#features/users/EditUserDialog.tsx'
import { userPageQuery } from '#features/users/queries.ts'
import { RoleDialog } from '#features/users/RoleDialog.tsx'
import type { UserAction } from '#features/users/UserActions.tsx'
import { UserTable } from '#features/users/UserTable.tsx'
import { useUsersView } from '#features/users/use-users-view.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { PagedTable, RowSkeletons } from '#ui/PagedTable.tsx'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { SearchInput } from '#ui/SearchInput.tsx'

type Opened =
  | { window: 'invite' }
  | { window: 'link'; done: string; fullName: string; link: string }
  | { window: 'remove-invitation'; invitation: Invitation }
  | { window: UserAction; user: User }

interface WindowProps {
  opened: Opened
  open: (next: Opened) => void
  close: () => void
  onSent: (invitation: Invitation) => void
}

function Window({ opened, open, close, onSent }: WindowProps) {
  const { user: viewer } = useSession()
  const { refresh } = useSessionActions()
  /** Who changes themselves sees it at once, in what the screens offer too. */
  function noticeOwn(changed: User): void {
    if (changed._id === viewer?._id) void refresh()
  }
  switch (opened.window) {
    case 'invite':
      return (
        <InviteDialog
          onSent={onSent}
          onClose={close}
          twoFactorFields={(form) => <TwoFactorFields form={form} whom="this person" />}
        />
      )
    case 'link':
      return <InvitationLinkDialog {...opened} onClose={close} />
    case 'remove-invitation':
      return <RemoveInvitationDialog invitation={opened.invitation} onClose={close} />
    case 'rename':
      return <EditUserDialog user={opened.user} onRenamed={noticeOwn} onClose={close} />
    case 'channels':
      return <ChannelAccessDialog user={opened.user} onClose={close} />
    case 'role':
      return <RoleDialog user={opened.user} onChanged={noticeOwn} onClose={close} />
    case 'two-factor':
      return <UserTwoFactorDialog user={opened.user} onClose={close} />
    case 'limits':
      return <UserLimitsDialog user={opened.user} onClose={close} />
    case 'permissions':
      return (
        <AdminPermissionsDialog
          user={opened.user}
          onChanged={(user) => {
            noticeOwn(user)
            // Who has given up being a system administrator decides on nobody's rights any more.
            if (user._id === viewer?._id && !user.isSystemAdmin) close()
            else open({ window: 'permissions', user })
          }}
          onClose={close}
        />
      )
    case 'delete':
      return <DeleteUserDialog user={opened.user} onClose={close} />
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

interface ListsProps {
  resendingId: string | undefined
  onResend: (invitation: Invitation) => void
  onRemove: (invitation: Invitation) => void
  onAction: (action: UserAction, user: User) => void
}

function Lists({ onAction, ...actions }: ListsProps) {
  const { user: viewer } = useSession()
  const { page, search, invitations: invitationPage, show } = useUsersView()
  const mayInvite = useCan('canCreateUsers')
  const invitations = useQuery(invitationPageQuery(invitationPage))
  const users = useQuery(userPageQuery(page, search))
  // Together: what came second would push the other about.
  if (viewer === null || invitations.isPending || users.isPending) {
    return <RowSkeletons label="Loading the users…" rows={8} />
  }
  return (
    <>
      <PagedTable
        title="Invitations"
        list={invitations}
        page={invitationPage}
        onPage={(next) => show({ invitations: next })}
        failed={texts.invitations.loadFailed}
      >
        {(rows) => (
          <InvitationTable
            {...actions}
            invitations={rows}
            refusal={mayInvite ? null : texts.permissions.createUsers}
          />
        )}
      </PagedTable>
      <PagedTable
        title="Users"
        list={users}
        page={page}
        onPage={(next) => show({ page: next })}
        failed={texts.users.loadFailed}
        toolbar={
          <SearchInput
            label="Search users"
            value={search}
            onSearch={(text) => show({ search: text })}
            className="w-full sm:w-80"
          />
        }
      >
        {(rows) => <UserTable users={rows} viewer={viewer} onAction={onAction} search={search} />}
      </PagedTable>
    </>
  )
}

export function UsersPage() {
  const [opened, setOpened] = useState<Opened | null>(null)
  function close(): void {
    setOpened(null)
  }
  // Fetched with the screen, so that an invitation starts with it.
  useQuery({ ...globalSettingsQuery(), meta: { quiet: true } })
  const resend = useResend()
  function showLink(done: string) {
    return ({ fullName, link }: Invitation): void => {
      if (link !== undefined) setOpened({ window: 'link', done, fullName, link })
    }
  }
  return (
    <div className="flex-1 bg-surface">
      <ResultBanner className="top-28 px-4" />
      <div className="mx-auto flex w-full max-w-7xl flex-col gap-6 px-4 py-6 md:px-6 md:py-8">
        <Header onInvite={() => setOpened({ window: 'invite' })} />
        <Lists
          resendingId={resend.isPending ? resend.variables._id : undefined}
          onResend={(invitation) =>
            resend.mutate(invitation, { onSuccess: showLink(texts.invitations.resend.done) })
          }
          onRemove={(invitation) => setOpened({ window: 'remove-invitation', invitation })}
          onAction={(window, user) => setOpened({ window, user })}
        />
      </div>
      {opened !== null && (
        <Window
          opened={opened}
          open={setOpened}
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
