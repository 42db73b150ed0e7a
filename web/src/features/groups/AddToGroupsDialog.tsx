import type { User } from '@lyceum/contract/auth'
import type { Group } from '@lyceum/contract/groups'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useIsSystemAdmin } from '#features/auth/use-can.ts'
import { formatCount } from '#lib/format-count.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { DiscardDialog } from '#ui/DiscardDialog.tsx'
import { UserLine } from '#ui/UserLine.tsx'
import { useUnsavedInput } from '#ui/use-unsaved-input.ts'
import { GroupPicker } from './GroupPicker.tsx'
import { addableGroupPageQuery } from './queries.ts'
import { useAddToGroups } from './user-mutations.ts'

interface Props {
  user: User
  onClose: () => void
}

/** Adds a user to several groups at once. Stays open with the groups that refused. */
export function AddToGroupsDialog({ user, onClose }: Props) {
  const isSystemAdmin = useIsSystemAdmin()
  const [view, setView] = useState({ page: 1, search: '' })
  const [chosen, setChosen] = useState<ReadonlyMap<string, Group>>(new Map())
  const list = useQuery(addableGroupPageQuery(user._id, view.page, view.search))
  const add = useAddToGroups(user)
  const count = chosen.size
  const unsaved = useUnsavedInput({ isChanged: count > 0, isSaving: add.isPending, onClose })
  function toggle(group: Group, isChosen: boolean): void {
    const next = new Map(chosen)
    if (isChosen) next.set(group._id, group)
    else next.delete(group._id)
    setChosen(next)
  }
  function send(): void {
    add.mutate([...chosen.values()], {
      onSuccess: ({ refusals }) => {
        const refused = new Set(refusals.map(({ group }) => group._id))
        if (refused.size === 0) onClose()
        else setChosen(new Map([...chosen].filter(([id]) => refused.has(id))))
      },
    })
  }
  return (
    <Dialog
      open
      onClose={unsaved.close}
      title="Add to groups"
      description={<UserLine user={user} />}
      isLoading={list.isPending}
      footer={
        <>
          <Button onClick={unsaved.close}>Cancel</Button>
          <Button variant="primary" disabled={count === 0} busy={add.isPending} onClick={send}>
            {count === 0 ? 'Add' : `Add to ${formatCount(count, 'group')}`}
          </Button>
        </>
      }
    >
      {!isSystemAdmin && (
        <p className="mb-3 text-muted text-xs">
          Groups that give permissions or channels that are not yours to give are not listed.
        </p>
      )}
      <GroupPicker
        list={list}
        view={view}
        onView={setView}
        chosen={chosen}
        onToggle={toggle}
        emptyText="There are no other groups to which you can add this user."
      />
      <DiscardDialog {...unsaved.question}>The user has not been added to the groups.</DiscardDialog>
    </Dialog>
  )
}
