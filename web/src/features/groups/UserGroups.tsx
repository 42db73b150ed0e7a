import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { groupPath } from '#lib/group-paths.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextLink } from '#ui/TextLink.tsx'
import { describeOrigin } from './origin.ts'
import { userAccessQuery } from './queries.ts'

/** The groups of a user, with who added them. */
export function UserGroups({ userId }: { userId: string }) {
  const { data, error, refetch } = useQuery({ ...userAccessQuery(userId), meta: { quiet: true } })
  if (data === undefined && error === null) return <Skeleton className="h-6" />
  if (data === undefined)
    return (
      <div className="flex flex-col items-start gap-3 text-sm">
        <p className="text-danger">{messageOf(error, texts.groups.loadFailed)}</p>
        <Button size="small" onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    )
  if (data.groups.length === 0)
    return (
      <div className="text-muted text-sm">
        <p>This user is in no group.</p>
        <p className="mt-1">
          A group gives its members access to several channels at once. Members are added on the page of a
          group. <TextLink to="/admin/groups">Manage groups</TextLink>
        </p>
      </div>
    )
  return (
    <ul className="flex flex-col gap-2">
      {data.groups.map((group) => (
        <li key={group._id} className="text-sm">
          <TextLink to={groupPath(group._id)} className="wrap-anywhere">
            <bdi>{group.name}</bdi>
          </TextLink>
          <span className="text-muted text-xs"> · {describeOrigin(group)}</span>
        </li>
      ))}
    </ul>
  )
}
