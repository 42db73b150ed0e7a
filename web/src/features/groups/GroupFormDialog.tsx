import { type Group, type GroupDetail, type GroupInput, groupForm } from '@lyceum/contract/groups'
import { useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/admin.ts'
import { Field } from '#ui/Field.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { TextArea } from '#ui/TextArea.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { useSaveGroup } from './mutations.ts'

interface Props {
  /** Null for a new group. */
  group: Pick<Group, '_id' | 'name' | 'description'> | null
  onSaved: (group: GroupDetail) => void
  onClose: () => void
}

/** Creates a group, or changes its name and description. */
export function GroupFormDialog({ group, onSaved, onClose }: Props) {
  const initial: GroupInput = { name: group?.name ?? '', description: group?.description ?? '' }
  const form = useSchemaForm<GroupInput, GroupInput>(groupForm, initial)
  const save = useSaveGroup(group?._id ?? null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const submit = form.handleSubmit(async (input) => {
    setRefusal(null)
    try {
      onSaved(await save.mutateAsync(input))
    } catch (error) {
      if (!form.showFieldErrors(error))
        setRefusal(messageOf(error, group === null ? texts.groups.createFailed : texts.groups.saveFailed))
    }
  })
  const { name, description } = form.values
  return (
    <FormDialog
      title={group === null ? 'New group' : 'Edit group'}
      description={group === null && 'A group gives its members access to channels.'}
      isChanged={name !== initial.name || description !== initial.description}
      canSubmitUnchanged={group === null}
      unsavedText="The group has not been saved."
      submitLabel={group === null ? 'Create group' : 'Save changes'}
      isSubmitting={form.isSubmitting}
      refusal={refusal}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Name" error={form.errors.name}>
        {(control) => <TextInput {...control} {...form.field('name')} dir="auto" autoComplete="off" />}
      </Field>
      <Field label="Description" hint="Optional." error={form.errors.description}>
        {(control) => <TextArea {...control} {...form.field('description')} dir="auto" rows={2} />}
      </Field>
    </FormDialog>
  )
}
