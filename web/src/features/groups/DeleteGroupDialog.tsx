import type { Group, GroupLosses } from '@lyceum/contract/groups'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { formatCount } from '#lib/format-count.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { QuestionSubject } from '#ui/QuestionSubject.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { describeNoLosses } from './describe-no-losses.ts'
import { useRemoveGroup } from './mutations.ts'
import { groupLossesQuery } from './queries.ts'

function Losses({ group, losses }: { group: Pick<Group, 'memberCount'>; losses: GroupLosses }) {
  const { userCount, administratorCount } = losses
  const channels = losses.channels.filter((channel) => channel.userCount > 0)
  if (userCount === 0 && administratorCount === 0) return <p className="mt-2">{describeNoLosses(group)}</p>
  return (
    <>
      {userCount > 0 && (
        <>
          <p className="mt-2">
            {formatCount(userCount, 'user')} will lose access to {formatCount(channels.length, 'channel')}:
          </p>
          <ul className="mt-1 max-h-48 list-disc overflow-y-auto ps-5">
            {channels.map(({ _id, name, userCount: count }) => (
              <li key={_id} className="wrap-anywhere">
                <bdi>{name}</bdi>: {formatCount(count, 'user')}
              </li>
            ))}
          </ul>
        </>
      )}
      {administratorCount > 0 && (
        <p className="mt-2">{formatCount(administratorCount, 'administrator')} will lose permissions.</p>
      )}
      <p className="mt-2">Their chats are kept and return if access is restored.</p>
    </>
  )
}

interface Props {
  group: Pick<Group, '_id' | 'name' | 'memberCount'>
  onDeleted: () => void
  onClose: () => void
}

/** Confirms deleting a group and says who loses which access. */
export function DeleteGroupDialog({ group, onDeleted, onClose }: Props) {
  const { data, error } = useQuery(groupLossesQuery(group._id))
  const remove = useRemoveGroup(group._id)
  return (
    <ConfirmDialog
      open
      title="Delete this group?"
      confirmLabel="Delete group"
      busy={remove.isPending || (data === undefined && error === null)}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onDeleted, onSettled: onClose })}
      onCancel={onClose}
    >
      <QuestionSubject name={group.name} />
      {data !== undefined && <Losses group={group} losses={data} />}
      {data === undefined && error === null && <Skeleton className="mt-3 h-24" />}
      {data === undefined && error !== null && (
        <p className="mt-2 text-danger">
          {messageOf(error, 'The users who lose access could not be counted.')} Members lose what nothing else
          gives them.
        </p>
      )}
    </ConfirmDialog>
  )
}
