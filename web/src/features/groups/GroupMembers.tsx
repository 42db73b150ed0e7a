import { type GroupDetail, type GroupMember, memberBatchMaximum } from '@lyceum/contract/groups'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { formatCount } from '#lib/format-count.ts'
import { userPath } from '#lib/user-path.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { TextLink } from '#ui/TextLink.tsx'
import { ListPicker, usePickerView } from './ListPicker.tsx'
import { useRemoveMembers } from './mutations.ts'
import { describeOrigin, hasOtherOrigin } from './origin.ts'
import { groupMemberPageQuery } from './queries.ts'

interface RemoveProps {
  group: GroupDetail
  members: readonly GroupMember[]
  onRemoved: () => void
  /** Where to move the focus when the button that opened the dialog is gone. */
  findOther: (removedIds: readonly string[]) => HTMLElement | null
  onClose: () => void
}

function RemoveMembersDialog({ group, members, onRemoved, findOther, onClose }: RemoveProps) {
  const remove = useRemoveMembers(group._id)
  const removedIds = useRef<readonly string[]>([])
  const ids = members.map(({ _id }) => _id)
  const directory = members.find((member) => member.directory !== undefined)?.directory
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
            onRemoved()
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
      <p className="mt-2">
        {group.channelCount === 0 && group.permissions.length === 0
          ? 'Nobody loses access, because this group gives no channels or permissions.'
          : 'Channels and permissions that only this group gives are lost. Chats are kept and return if access is restored.'}
      </p>
      {directory !== undefined && (
        <p className="mt-2">Some of them come from {directory}, which may add them again.</p>
      )}
      {issuers.size > 0 && (
        <p className="mt-2">
          Some of them come from {[...issuers].join(', ')} and will return at their next sign-in, as long as a
          rule there names this group.
        </p>
      )}
    </ConfirmDialog>
  )
}

/** The members of a group, several of which can be removed at once. */
export function GroupMembers({ group }: { group: GroupDetail }) {
  const view = usePickerView<GroupMember>()
  const list = useQuery(groupMemberPageQuery(group._id, view.page, view.search))
  const [isRemoving, setIsRemoving] = useState(false)
  const content = useRef<HTMLDivElement>(null)
  const count = view.chosen.size
  const isTooMany = count > memberBatchMaximum
  /** That of the member after the last one removed, otherwise of the one before. */
  function findOtherControl(removedIds: readonly string[]): HTMLElement | null {
    const members = [...(content.current?.querySelectorAll<HTMLInputElement>('li input') ?? [])]
    const lastRemoved = members.findLastIndex(({ value }) => removedIds.includes(value))
    const rest = [...members.slice(lastRemoved + 1), ...members.slice(0, lastRemoved + 1).toReversed()]
    const member = rest.find(({ value }) => !removedIds.includes(value))
    return member ?? content.current?.closest('section')?.querySelector('button') ?? null
  }
  return (
    <div ref={content}>
      <ListPicker
        noun="user"
        label="Members"
        searchLabel="Search members"
        list={list}
        view={view}
        errorText="The members could not be loaded."
        emptyText="This group has no members yet."
        canPick={group.canChangeMembers}
        renderNote={(member) =>
          [member.email, ...(hasOtherOrigin(member) ? [describeOrigin(member)] : [])].join(' · ')
        }
        renderEnd={({ _id, name }) => (
          <TextLink to={userPath(_id)} aria-label={`Open ${name}`} className="text-sm">
            Open
          </TextLink>
        )}
      />
      <p role="status" className="sr-only">
        {count > 0 && `${formatCount(count, 'member')} selected`}
      </p>
      {count > 0 && (
        <div className="mt-4 flex flex-wrap items-center gap-2 border-hairline border-t pt-4">
          <Button size="small" variant="danger" disabled={isTooMany} onClick={() => setIsRemoving(true)}>
            Remove {formatCount(count, 'member')}
          </Button>
          <Button size="small" onClick={() => view.choose([])}>
            Clear selection
          </Button>
          {isTooMany && <p className="text-danger text-sm">{texts.groups.tooMany}</p>}
        </div>
      )}
      {isRemoving && (
        <RemoveMembersDialog
          group={group}
          members={[...view.chosen.values()]}
          onRemoved={() => view.choose([])}
          findOther={findOtherControl}
          onClose={() => setIsRemoving(false)}
        />
      )}
    </div>
  )
}
