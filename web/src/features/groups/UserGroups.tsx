import type { User } from '@lyceum/contract/auth'
import type { UserAccess } from '@lyceum/contract/groups'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useRef, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { groupPath } from '#lib/group-paths.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextLink } from '#ui/TextLink.tsx'
import { describeOrigin, hasOtherOrigin } from './origin.ts'
import { userAccessQuery } from './queries.ts'
import { type GroupOfUser, RemoveFromGroupDialog } from './RemoveFromGroupDialog.tsx'
import type { PermissionLabels } from './UserLosses.tsx'

interface RowProps {
  group: GroupOfUser
  onRemove: () => void
}

function GroupRow({ group, onRemove }: RowProps) {
  const refusal = group.canChangeMembers ? null : texts.groups.cannotChangeMembers
  return (
    <li className="flex items-center justify-between gap-3 py-1">
      <div className="min-w-0 text-sm">
        <TextLink to={groupPath(group._id)} title={group.name} className="wrap-anywhere">
          <bdi>{group.name}</bdi>
        </TextLink>
        {hasOtherOrigin(group) && <span className="text-muted text-xs"> · {describeOrigin(group)}</span>}
      </div>
      <IconButton
        icon={X}
        label={`Remove from ${group.name}`}
        tip={refusal ?? 'Remove from group'}
        aria-description={refusal ?? undefined}
        aria-disabled={refusal !== null}
        data-group={group._id}
        tooltipAlign="end"
        tone="danger"
        onClick={() => (refusal === null ? onRemove() : banner.error(refusal))}
      />
    </li>
  )
}

interface Removal {
  group: GroupOfUser
  /** From before the removal, which the dialog describes until it closes. */
  access: UserAccess
  /** The groups of the next and the previous row. */
  neighborIds: string[]
}

interface Props {
  user: User
  permissionLabels: PermissionLabels
  /** Receives the focus when the last group is removed. */
  findAddButton: () => HTMLElement | null
}

function GroupList({ access, ...props }: Props & { access: UserAccess }) {
  const { user, permissionLabels, findAddButton } = props
  const [removal, setRemoval] = useState<Removal | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const { groups } = access
  function askToRemove(group: GroupOfUser): void {
    const at = groups.indexOf(group)
    const neighbors = [groups[at + 1], groups[at - 1]].filter((other) => other !== undefined)
    setRemoval({ group, access, neighborIds: neighbors.map(({ _id }) => _id) })
  }
  /** The next row, else the previous one. */
  function findOtherControl(): HTMLElement | null {
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>('[data-group]') ?? [])]
    const [neighbor] = (removal?.neighborIds ?? []).flatMap(
      (id) => buttons.find(({ dataset }) => dataset['group'] === id) ?? [],
    )
    return neighbor ?? findAddButton()
  }
  return (
    <>
      {groups.length === 0 && (
        <div className="text-muted text-sm">
          <p>This user is in no group.</p>
          <p className="mt-1">
            A group gives its members access to several channels at once.{' '}
            <TextLink to="/admin/groups">Manage groups</TextLink>
          </p>
        </div>
      )}
      {groups.length > 0 && (
        <ul ref={list} className="-my-1 divide-y divide-hairline">
          {groups.map((group) => (
            <GroupRow key={group._id} group={group} onRemove={() => askToRemove(group)} />
          ))}
        </ul>
      )}
      {removal !== null && (
        <RemoveFromGroupDialog
          user={user}
          access={removal.access}
          group={removal.group}
          permissionLabels={permissionLabels}
          findOther={findOtherControl}
          onClose={() => setRemoval(null)}
        />
      )}
    </>
  )
}

/** The groups of a user, with who added them. */
export function UserGroups(props: Props) {
  const { data, error, refetch } = useQuery({ ...userAccessQuery(props.user._id), meta: { quiet: true } })
  if (data !== undefined) return <GroupList {...props} access={data} />
  if (error === null) return <Skeleton className="h-6" />
  return (
    <div className="flex flex-col items-start gap-3 text-sm">
      <p className="text-danger">{messageOf(error, texts.groups.loadFailed)}</p>
      <Button size="small" onClick={() => void refetch()}>
        Try again
      </Button>
    </div>
  )
}
