import type { User } from '@lyceum/contract/auth'
import { userNameForm } from '@lyceum/contract/users'
import { useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { Field } from '#ui/Field.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { UserLine } from '#ui/UserLine.tsx'
import { useRename } from './mutations.ts'

interface Props {
  user: User
  onRenamed: (user: User) => void
  onClose: () => void
}

/** Renames a user. */
export function EditUserDialog({ user, onRenamed, onClose }: Props) {
  const form = useSchemaForm(userNameForm, { name: user.name })
  const rename = useRename(user)
  const [refusal, setRefusal] = useState<string | null>(null)

  const submit = form.handleSubmit(async ({ name }) => {
    setRefusal(null)
    try {
      onRenamed(await rename.mutateAsync(name))
    } catch (error) {
      if (!form.showFieldErrors(error)) setRefusal(messageOf(error, texts.users.rename.failed))
      return
    }
    banner.success(texts.users.rename.done)
    onClose()
  })
  return (
    <FormDialog
      title="Edit User Settings"
      description={<UserLine user={user} />}
      size="small"
      isChanged={form.values.name !== user.name}
      unsavedText="The name has not been saved."
      submitLabel="Save Changes"
      isSubmitting={form.isSubmitting}
      refusal={refusal}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Name" error={form.errors.name}>
        {(control) => (
          <TextInput
            {...control}
            {...form.field('name')}
            dir="auto"
            autoComplete="off"
            aria-required="true"
          />
        )}
      </Field>
    </FormDialog>
  )
}
