import type { Group } from '@lyceum/contract/groups'
import { UsersRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSearch } from 'wouter'
import { groupPath } from '#lib/group-paths.ts'
import { toListState } from '#lib/list-path.ts'
import { cx } from '#ui/cx.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { type Column, coversRow, Table } from '#ui/Table.tsx'
import { TextLink } from '#ui/TextLink.tsx'

function GroupLink({ id, name }: { id: string; name: string }) {
  const search = useSearch()
  return (
    <TextLink
      to={groupPath(id)}
      state={toListState(search)}
      className={cx('wrap-anywhere text-ink', coversRow)}
    >
      <bdi>{name}</bdi>
    </TextLink>
  )
}

const columns: Column<Group>[] = [
  {
    header: 'Group',
    isRowHeader: true,
    card: 'title',
    hidesHeader: true,
    cell: ({ _id, name, description }) => (
      <div className="min-w-0">
        <GroupLink id={_id} name={name} />
        {description !== '' && (
          <p dir="auto" className="wrap-anywhere line-clamp-2 text-start font-normal text-muted text-xs">
            {description}
          </p>
        )}
      </div>
    ),
  },
  {
    header: 'Members',
    align: 'end',
    card: 'detail',
    cell: ({ memberCount }) => memberCount.toLocaleString(),
  },
  {
    header: 'Channels',
    align: 'end',
    card: 'detail',
    cell: ({ channelCount }) => channelCount.toLocaleString(),
  },
  {
    header: 'Permissions',
    align: 'end',
    card: 'detail',
    isBlank: ({ permissions }) => permissions.length === 0,
    cell: ({ permissions }) => (permissions.length === 0 ? 'None' : permissions.length.toLocaleString()),
  },
]

interface Props {
  groups: readonly Group[]
  search: string
  /** The button that creates the first group. */
  action: ReactNode
}

export function GroupTable({ groups, search, action }: Props) {
  return (
    <Table
      caption="Groups"
      columns={columns}
      rows={groups}
      getKey={({ _id }) => _id}
      empty={
        search === '' ? (
          <EmptyState
            icon={UsersRound}
            hint="Put users into a group to give all of them access to the same channels."
            action={action}
          >
            There are no groups yet.
          </EmptyState>
        ) : (
          <EmptyState icon={UsersRound}>
            <span className="wrap-anywhere">No group matches “{search}”.</span>
          </EmptyState>
        )
      }
    />
  )
}
