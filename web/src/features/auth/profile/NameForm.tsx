import { userNameForm, usersApi } from '@lyceum/contract/users'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { useDraftForm } from '#lib/form-drafts.tsx'
import { texts } from '#texts/member.ts'
import { banner } from '#ui/banner.ts'
import { Field } from '#ui/Field.tsx'
import { SaveButton } from '#ui/SaveButton.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { UnsavedChanges } from '#ui/UnsavedChanges.tsx'
import { useSessionActions } from '../SessionProvider.tsx'
import type { SignedInUser } from '../stored-session.ts'

export function NameForm({ user }: { user: SignedInUser }) {
  const session = useSessionActions()
  const form = useDraftForm('name', userNameForm, { name: user.name })

  const submit = form.handleSubmit(async ({ name }) => {
    try {
      const changed = await call(usersApi.update, { params: { id: user._id }, body: { name } })
      session.update(changed)
      form.reset({ name: changed.name })
      banner.success(texts.profile.name.done)
    } catch (error) {
      if (!form.showFieldErrors(error)) banner.error(messageOf(error, texts.profile.name.failed))
    }
  })

  return (
    <form noValidate onSubmit={submit} className="flex max-w-md flex-col gap-5">
      <Field label="Email">
        {(control) => <TextInput {...control} value={user.email} readOnly type="email" />}
      </Field>
      <Field label="Name" error={form.errors.name}>
        {(control) => (
          <TextInput {...control} {...form.field('name')} autoComplete="name" aria-required="true" />
        )}
      </Field>
      <div className="flex flex-wrap items-center gap-3">
        <SaveButton isChanged={form.isChanged} busy={form.isSubmitting} className="max-sm:w-full">
          {form.isSubmitting ? 'Saving...' : 'Update name'}
        </SaveButton>
        <UnsavedChanges isChanged={form.isChanged} onDiscard={form.discard} />
      </div>
    </form>
  )
}
