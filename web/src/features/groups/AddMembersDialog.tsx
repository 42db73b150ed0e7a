import type { GroupDetail } from '@lyceum/contract/groups'
import { memberBatchMaximum } from '@lyceum/contract/groups'
import type { ListedUser } from '@lyceum/contract/users'
import { useQuery } from '@tanstack/react-query'
import { userPageQuery } from '#features/users/queries.ts'
import { formatCount } from '#lib/format-count.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { DiscardDialog } from '#ui/DiscardDialog.tsx'
import { useUnsavedInput } from '#ui/use-unsaved-input.ts'
import { describeGifts } from './describe-gifts.ts'
import { ListPicker, usePickerView } from './ListPicker.tsx'
import { useAddMembers } from './mutations.ts'

interface Props {
  group: GroupDetail
  onClose: () => void
}

/** Adds several users to a group at once. */
export function AddMembersDialog({ group, onClose }: Props) {
  const view = usePickerView<ListedUser>()
  const users = userPageQuery(view.page, view.search, { exceptGroupId: group._id })
  const list = useQuery({ ...users, staleTime: 0 })
  const add = useAddMembers(group._id)
  const count = view.chosen.size
  const isTooMany = count > memberBatchMaximum
  const unsaved = useUnsavedInput({ isChanged: count > 0, isSaving: add.isPending, onClose })
  return (
    <Dialog
      open
      onClose={unsaved.close}
      title="Add members"
      description={
        <>
          <bdi className="wrap-anywhere text-ink">{group.name}</bdi> {describeGifts(group)}
        </>
      }
      footer={
        <>
          <Button onClick={unsaved.close}>Cancel</Button>
          <Button
            variant="primary"
            disabled={count === 0 || isTooMany}
            busy={add.isPending}
            onClick={() => add.mutate([...view.chosen.keys()], { onSuccess: onClose })}
          >
            {count === 0 ? 'Add' : `Add ${formatCount(count, 'user')}`}
          </Button>
        </>
      }
    >
      {isTooMany && <p className="mb-3 text-danger text-sm">{texts.groups.tooMany}</p>}
      <ListPicker
        noun="user"
        label="Users"
        searchLabel="Search by name or email"
        list={list}
        view={view}
        errorText={texts.users.loadFailed}
        emptyText="All users are members."
        canPick
        renderNote={({ email }) => email}
        // The dialog does not shrink while the user searches.
        className="min-h-96"
      />
      <DiscardDialog {...unsaved.question}>The users have not been added.</DiscardDialog>
    </Dialog>
  )
}
