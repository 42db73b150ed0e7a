import type { User } from '@lyceum/contract/auth'
import { userNameForm } from '@lyceum/contract/users'
import { useId, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/admin.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Field } from '#ui/Field.tsx'
import { SaveButton } from '#ui/SaveButton.tsx'
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
  const formId = useId()
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
    <Dialog
      open
      onClose={onClose}
      title="Edit User Settings"
      description={<UserLine user={user} />}
      size="small"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <SaveButton form={formId} isChanged={form.values.name !== user.name} busy={form.isSubmitting}>
            Save Changes
          </SaveButton>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-4">
        {refusal !== null && <Banner tone="danger">{refusal}</Banner>}
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
      </form>
    </Dialog>
  )
}
