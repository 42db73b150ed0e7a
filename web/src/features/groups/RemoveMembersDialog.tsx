import type { GroupDetail, GroupMember } from '@lyceum/contract/groups'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { userPermissionsQuery } from '#features/users/queries.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { useRemoveMembers } from './mutations.ts'
import { userAccessQuery } from './queries.ts'
import { type PermissionLabels, UserLosses } from './UserLosses.tsx'

interface LossesProps {
  group: GroupDetail
  members: readonly GroupMember[]
  permissionLabels: PermissionLabels
}

const generalLosses =
  'Channels and permissions that only this group gives are lost. Chats are kept and return if access is restored.'

function LossesOfOne({
  group,
  member,
  permissionLabels,
}: Omit<LossesProps, 'members'> & { member: GroupMember }) {
  const needsPermissions = group.permissions.length > 0 && member.role === 'admin'
  const access = useQuery(userAccessQuery(member._id))
  const own = useQuery({ ...userPermissionsQuery(member._id), enabled: needsPermissions })
  if (access.isPending || (needsPermissions && own.isPending)) return <Skeleton className="mt-3 h-16" />
  if (access.data === undefined || (needsPermissions && own.data === undefined))
    return <p className="mt-2">{generalLosses}</p>
  return (
    <UserLosses
      userName={member.name}
      access={access.data}
      group={group}
      own={own.data ?? null}
      permissionLabels={permissionLabels}
    />
  )
}

/** What each of several members loses would be a long list. */
function Losses({ group, members, permissionLabels }: LossesProps) {
  const [member, ...others] = members
  if (group.channelCount === 0 && group.permissions.length === 0)
    return <p className="mt-2">Nobody loses access, because this group gives no channels or permissions.</p>
  if (member === undefined || others.length > 0) return <p className="mt-2">{generalLosses}</p>
  return <LossesOfOne group={group} member={member} permissionLabels={permissionLabels} />
}

interface Props {
  group: GroupDetail
  members: readonly GroupMember[]
  permissionLabels: PermissionLabels
  onRemoved: (ids: readonly string[]) => void
  /** Where to move the focus when the button that opened the dialog is gone. */
  findOther: (removedIds: readonly string[]) => HTMLElement | null
  onClose: () => void
}

/** Confirms removing members from a group and says what they lose. */
export function RemoveMembersDialog({
  group,
  members,
  permissionLabels,
  onRemoved,
  findOther,
  onClose,
}: Props) {
  const remove = useRemoveMembers(group._id)
  const removedIds = useRef<readonly string[]>([])
  const ids = members.map(({ _id }) => _id)
  const directory = members.find((member) => member.directory !== undefined)?.directory
  const who = members.length === 1 ? 'This member comes' : 'Some of them come'
  const issuers = new Set(members.flatMap((member) => member.issuers.map(({ name }) => name)))
  return (
    <ConfirmDialog
      open
      title={members.length === 1 ? 'Remove this member?' : `Remove ${members.length} members?`}
      confirmLabel="Remove"
      busy={remove.isPending}
      onConfirm={() =>
        remove.mutate(ids, {
          onSuccess: () => {
            removedIds.current = ids
            onRemoved(ids)
          },
          onSettled: onClose,
        })
      }
      onCancel={onClose}
      finalFocus={() => (removedIds.current.length > 0 ? findOther(removedIds.current) : null)}
    >
      <ul className="max-h-40 overflow-y-auto font-medium text-ink">
        {members.map(({ _id, name }) => (
          <li key={_id} className="wrap-anywhere">
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
      <Losses group={group} members={members} permissionLabels={permissionLabels} />
      {directory !== undefined && (
        <p className="mt-2">
          {who} from {directory}, which may add them again.
        </p>
      )}
      {issuers.size > 0 && (
        <p className="mt-2">
          {who} from {[...issuers].join(', ')} and will return at their next sign-in, as long as a rule there
          names this group.
        </p>
      )}
    </ConfirmDialog>
  )
}
