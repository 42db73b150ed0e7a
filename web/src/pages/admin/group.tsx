import type { GroupDetail } from '@lyceum/contract/groups'
import { useQuery } from '@tanstack/react-query'
import { Trash2, TriangleAlert, UsersRound } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { isNotFound, messageOf } from '#api/api-error.ts'
import { AddMembersDialog } from '#features/groups/AddMembersDialog.tsx'
import { DeleteGroupDialog } from '#features/groups/DeleteGroupDialog.tsx'
import { AddChannelsDialog, GroupChannels } from '#features/groups/GroupChannels.tsx'
import { GroupFormDialog } from '#features/groups/GroupFormDialog.tsx'
import { GroupMembers } from '#features/groups/GroupMembers.tsx'
import { groupQuery } from '#features/groups/queries.ts'
import { formatCount } from '#lib/format-count.ts'
import { restoreListPath } from '#lib/list-path.ts'
import { useNavigationState } from '#lib/router.tsx'
import { texts } from '#texts/admin.ts'
import { product } from '#theme/product.ts'
import { BackToList } from '#ui/BackToList.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { ResultBanner } from '#ui/ResultBanner.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextLink } from '#ui/TextLink.tsx'
import { ChannelName } from './channel-name.tsx'
import { GroupPermissions, permissionLabels } from './group-permissions.tsx'
import { Section } from './user-section.tsx'

function Frame({ children }: { children: ReactNode }) {
  return (
    <div className="flex-1 bg-surface">
      <ResultBanner />
      <div className="mx-auto flex w-full max-w-7xl flex-col gap-5 px-4 py-6 md:px-6 md:py-8">
        <BackToList path="/admin/groups" />
        {children}
      </div>
    </div>
  )
}

function LoadState({ error, retry }: { error: Error | null; retry: () => void }) {
  if (error === null)
    return (
      <div role="status" className="flex flex-col gap-5">
        <span className="sr-only">Loading the group…</span>
        <Skeleton className="h-14 w-72 max-w-full" />
        <Skeleton className="h-48" />
      </div>
    )
  return (
    <Card flush>
      {isNotFound(error) ? (
        <EmptyState icon={UsersRound} hint="The group may have been deleted, or the link is incomplete.">
          Group not found.
        </EmptyState>
      ) : (
        <EmptyState
          icon={TriangleAlert}
          hint={messageOf(error, '')}
          action={<Button onClick={retry}>Try again</Button>}
        >
          {texts.groups.loadOneFailed}
        </EmptyState>
      )}
    </Card>
  )
}

type OpenDialog = 'members' | 'channels' | 'edit' | 'delete'

interface DialogProps {
  dialog: OpenDialog
  group: GroupDetail
  close: () => void
}

function GroupDialog({ dialog, group, close }: DialogProps) {
  const [, navigate] = useLocation()
  const state = useNavigationState()
  switch (dialog) {
    case 'members':
      return <AddMembersDialog group={group} onClose={close} />
    case 'channels':
      return <AddChannelsDialog group={group} onClose={close} />
    case 'edit':
      return <GroupFormDialog group={group} onSaved={close} onClose={close} />
    case 'delete':
      return (
        <DeleteGroupDialog
          group={group}
          onDeleted={() => navigate(restoreListPath('/admin/groups', state), { replace: true })}
          onClose={close}
        />
      )
  }
}

function LoadedGroup({ group }: { group: GroupDetail }) {
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const { canChangeMembers } = group
  useEffect(() => {
    document.title = `${group.name} · ${product.name}`
  }, [group.name])
  return (
    <>
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 max-w-3xl flex-1 basis-60">
          <h1 className="wrap-anywhere font-semibold text-2xl">
            <bdi>{group.name}</bdi>
          </h1>
          {group.directory !== undefined && (
            <p className="wrap-anywhere mt-1 text-muted text-sm">
              The directory <bdi>{group.directory}</bdi> manages the name and members of this group.
            </p>
          )}
          {group.description !== '' && (
            <p dir="auto" className="wrap-anywhere mt-1 text-start text-muted text-sm">
              {group.description}
            </p>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setDialog('edit')}>Edit</Button>
          {canChangeMembers && (
            <Button className="text-danger!" onClick={() => setDialog('delete')}>
              <Trash2 aria-hidden="true" className="size-4" />
              Delete group
            </Button>
          )}
        </div>
      </header>
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-5">
          <Section
            title={formatCount(group.channelCount, 'channel')}
            action={
              <Button size="small" onClick={() => setDialog('channels')}>
                Add channels
              </Button>
            }
          >
            <GroupChannels group={group} renderName={(name) => <ChannelName name={name} />} />
          </Section>
          <GroupPermissions group={group} />
        </div>
        <Section
          title={formatCount(group.memberCount, 'member')}
          action={
            canChangeMembers && (
              <Button size="small" onClick={() => setDialog('members')}>
                Add members
              </Button>
            )
          }
        >
          {!canChangeMembers && (
            <p className="mb-3 text-muted text-sm">
              {group.permissions.length > 0 ? texts.groups.systemAdminOnly : texts.groups.hiddenChannels}
            </p>
          )}
          {group.memberCount === 0 ? (
            <p className="text-muted text-sm">This group has no members yet.</p>
          ) : (
            <GroupMembers group={group} permissionLabels={permissionLabels} />
          )}
          {group.memberCount > 0 && (
            <p className="mt-3 text-sm">
              <TextLink to={`/admin/users?group=${encodeURIComponent(group._id)}`}>
                Show these users with their roles and channels
              </TextLink>
            </p>
          )}
        </Section>
      </div>
      {dialog !== null && <GroupDialog dialog={dialog} group={group} close={() => setDialog(null)} />}
    </>
  )
}

function LoadGroup({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(groupQuery(id))
  if (data === undefined) return <LoadState error={error} retry={() => void refetch()} />
  return <LoadedGroup group={data} />
}

/** A group with its members, its channels and its permissions. */
export function GroupPage() {
  const { id = '' } = useParams()
  return (
    <Frame>
      <LoadGroup key={id} id={id} />
    </Frame>
  )
}
