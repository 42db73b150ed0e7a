import type { User } from '@lyceum/contract/auth'
import type { Group } from '@lyceum/contract/groups'
import { useQuery } from '@tanstack/react-query'
import { useIsSystemAdmin } from '#features/auth/use-can.ts'
import { formatCount } from '#lib/format-count.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { DiscardDialog } from '#ui/DiscardDialog.tsx'
import { UserLine } from '#ui/UserLine.tsx'
import { useUnsavedInput } from '#ui/use-unsaved-input.ts'
import { ListPicker, usePickerView } from './ListPicker.tsx'
import { addableGroupPageQuery } from './queries.ts'
import { useAddToGroups } from './user-mutations.ts'

interface Props {
  user: User
  onClose: () => void
}

function describeGroup({ memberCount, channelCount, permissions }: Group): string {
  return [
    formatCount(memberCount, 'member'),
    formatCount(channelCount, 'channel'),
    ...(permissions.length > 0 ? [formatCount(permissions.length, 'permission')] : []),
  ].join(' · ')
}

/** Adds a user to several groups at once. Stays open with the groups that refused. */
export function AddToGroupsDialog({ user, onClose }: Props) {
  const isSystemAdmin = useIsSystemAdmin()
  const view = usePickerView<Group>()
  const list = useQuery(addableGroupPageQuery(user._id, view.page, view.search))
  const add = useAddToGroups(user)
  const count = view.chosen.size
  const unsaved = useUnsavedInput({ isChanged: count > 0, isSaving: add.isPending, onClose })
  function send(): void {
    add.mutate([...view.chosen.values()], {
      onSuccess: ({ refusals }) => {
        if (refusals.length === 0) onClose()
        else view.choose(refusals.map(({ group }) => group))
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
      <ListPicker
        noun="group"
        label="Groups"
        searchLabel="Search groups"
        list={list}
        view={view}
        errorText={texts.groups.loadFailed}
        emptyText="There are no other groups to which you can add this user."
        canPick
        renderNote={describeGroup}
        className="min-h-96"
      />
      <DiscardDialog {...unsaved.question}>The user has not been added to the groups.</DiscardDialog>
    </Dialog>
  )
}
