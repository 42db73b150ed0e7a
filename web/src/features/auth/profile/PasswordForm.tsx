import { profilePasswordForm, usersApi } from '@lyceum/contract/users'
import { useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { useDraftForm } from '#lib/form-drafts.tsx'
import { texts } from '#texts/member.ts'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { Field } from '#ui/Field.tsx'
import { PasswordInput } from '#ui/PasswordInput.tsx'
import type { SignedInUser } from '../stored-session.ts'
import { ownBrowsersKey } from './queries.ts'

const blank = { currentPassword: '', newPassword: '', confirm: '' }

export function PasswordForm({ user }: { user: SignedInUser }) {
  const client = useQueryClient()
  const form = useDraftForm('password', profilePasswordForm, blank)
  const { errors, isSubmitting } = form

  const submit = form.handleSubmit(async ({ confirm: _, ...body }) => {
    try {
      await call(usersApi.changePassword, { params: { id: user._id }, body })
      form.reset(blank)
      banner.success(texts.profile.password.done)
      // The server has ended the other sessions and trusted browsers.
      void client.invalidateQueries({ queryKey: ownBrowsersKey })
    } catch (error) {
      if (!form.showFieldErrors(error)) banner.error(messageOf(error, texts.profile.password.failed))
    }
  })

  return (
    <form noValidate onSubmit={submit} className="flex max-w-md flex-col gap-5">
      {/* Tells password managers which account the password belongs to. */}
      <input
        type="text"
        name="username"
        autoComplete="username"
        value={user.email}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
        className="sr-only"
      />
      <Field label="Current password" error={errors.currentPassword}>
        {(control) => (
          <PasswordInput {...control} {...form.field('currentPassword')} autoComplete="current-password" />
        )}
      </Field>
      <Field
        label="New password"
        hint={errors.newPassword === undefined && 'At least 8 characters.'}
        error={errors.newPassword}
      >
        {(control) => (
          <PasswordInput {...control} {...form.field('newPassword')} autoComplete="new-password" />
        )}
      </Field>
      <Field label="Confirm new password" error={errors.confirm}>
        {(control) => <PasswordInput {...control} {...form.field('confirm')} autoComplete="new-password" />}
      </Field>
      <p className="text-muted text-sm">Changing your password signs you out everywhere else.</p>
      <Button type="submit" variant="primary" busy={isSubmitting} className="self-start max-sm:w-full">
        {isSubmitting ? 'Saving...' : 'Update password'}
      </Button>
    </form>
  )
}
