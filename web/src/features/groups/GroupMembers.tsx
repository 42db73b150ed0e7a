import { type GroupDetail, type GroupMember, memberBatchMaximum } from '@lyceum/contract/groups'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useRef, useState } from 'react'
import { formatCount } from '#lib/format-count.ts'
import { userPath } from '#lib/user-path.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { TextLink } from '#ui/TextLink.tsx'
import { ListPicker, usePickerView } from './ListPicker.tsx'
import { describeOrigin, hasOtherOrigin } from './origin.ts'
import { groupMemberPageQuery } from './queries.ts'
import { RemoveMembersDialog } from './RemoveMembersDialog.tsx'
import type { PermissionLabels } from './UserLosses.tsx'

interface BarProps {
  count: number
  onRemove: () => void
  onClear: () => void
}

/** What can be done with the selected members. Stays in view below a long list. */
function SelectionBar({ count, onRemove, onClear }: BarProps) {
  const isTooMany = count > memberBatchMaximum
  return (
    <div className="sticky bottom-2 z-2 mt-4 flex flex-wrap items-center gap-2 rounded-card border border-hairline bg-raised p-3 shadow-float">
      <Button size="small" variant="danger" disabled={isTooMany} onClick={onRemove}>
        Remove {formatCount(count, 'member')}
      </Button>
      <Button size="small" aria-label="Clear selection" onClick={onClear}>
        Clear
      </Button>
      {isTooMany && <p className="text-danger text-sm">{texts.groups.tooMany}</p>}
    </div>
  )
}

interface Props {
  group: GroupDetail
  permissionLabels: PermissionLabels
}

/** The members of a group, several of which can be removed at once. */
export function GroupMembers({ group, permissionLabels }: Props) {
  const view = usePickerView<GroupMember>()
  const list = useQuery(groupMemberPageQuery(group._id, view.page, view.search))
  const [removed, setRemoved] = useState<readonly GroupMember[] | null>(null)
  const content = useRef<HTMLDivElement>(null)
  const count = view.chosen.size
  function listCheckboxes(): HTMLInputElement[] {
    return [...(content.current?.querySelectorAll<HTMLInputElement>('li input') ?? [])]
  }
  /** That of the member after the last one removed, otherwise of the one before. */
  function findOtherControl(removedIds: readonly string[]): HTMLElement | null {
    const members = listCheckboxes()
    const lastRemoved = members.findLastIndex(({ value }) => removedIds.includes(value))
    const rest = [...members.slice(lastRemoved + 1), ...members.slice(0, lastRemoved + 1).toReversed()]
    const member = rest.find(({ value }) => !removedIds.includes(value))
    const target = member ?? content.current?.closest('section')?.querySelector('button') ?? null
    // After the dialog has moved the focus, which does not scroll.
    setTimeout(() => target?.scrollIntoView({ block: 'nearest' }), 0)
    return target
  }
  function clearSelection(): void {
    // The button disappears.
    const target = listCheckboxes().find(({ checked }) => checked) ?? content.current?.querySelector('input')
    target?.focus()
    view.choose([])
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
        renderName={({ _id, name }) => (
          <TextLink to={userPath(_id)} className="wrap-anywhere text-ink">
            <bdi>{name}</bdi>
          </TextLink>
        )}
        renderEnd={(member) =>
          group.canChangeMembers && (
            <IconButton
              icon={X}
              label={`Remove ${member.name} from the group`}
              tip="Remove from group"
              tooltipAlign="end"
              tone="danger"
              onClick={() => setRemoved([member])}
            />
          )
        }
      />
      <p role="status" className="sr-only">
        {count > 0 && `${formatCount(count, 'member')} selected`}
      </p>
      {count > 0 && (
        <SelectionBar
          count={count}
          onRemove={() => setRemoved([...view.chosen.values()])}
          onClear={clearSelection}
        />
      )}
      {removed !== null && (
        <RemoveMembersDialog
          group={group}
          members={removed}
          permissionLabels={permissionLabels}
          onRemoved={(ids) => view.choose([...view.chosen.values()].filter(({ _id }) => !ids.includes(_id)))}
          findOther={findOtherControl}
          onClose={() => setRemoved(null)}
        />
      )}
    </div>
  )
}
