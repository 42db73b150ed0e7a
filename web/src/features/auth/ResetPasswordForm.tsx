import { authApi, resetForm } from '@lyceum/contract/auth'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { ApiError, messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { useSchemaForm } from '#lib/use-schema-form.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Field } from '#ui/Field.tsx'
import { PasswordInput } from '#ui/PasswordInput.tsx'
import { toast } from '#ui/toast.ts'
import { messages } from '../../messages/visitor.ts'
import { useSessionActions } from './SessionProvider.tsx'

interface Props {
  token: string
  /** The link is of no use any more; with the words to say so. */
  onLinkRefused: (words: string) => void
}

/** What to say when the link itself is what was refused. */
const linkRefusal = (error: unknown): string | null => {
  if (!(error instanceof ApiError)) return null
  if (error.code.startsWith('auth.reset_')) return messageOf(error, messages.signIn.invalidResetLink)
  return 'token' in error.fields ? messages.signIn.invalidResetLink : null
}

/** Sets a new password and signs in with it, unless this server wants that done by hand. */
export const ResetPasswordForm = ({ token, onLinkRefused }: Props) => {
  const session = useSessionActions()
  const [, navigate] = useLocation()
  const [refusal, setRefusal] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const form = useSchemaForm(resetForm, { newPassword: '', confirm: '' })
  const { errors, isSubmitting } = form

  useEffect(() => input.current?.focus(), [])

  const submit = form.handleSubmit(async ({ newPassword }) => {
    setRefusal(null)
    try {
      const result = await call(authApi.resetPassword, { body: { token, newPassword } })
      if (session.enter(result)) return
      toast.success(messages.signIn.passwordChanged)
      navigate('/login', { replace: true })
    } catch (error) {
      const ofLink = linkRefusal(error)
      if (ofLink !== null) onLinkRefused(ofLink)
      else if (!form.showRefusal(error)) setRefusal(messageOf(error, messages.signIn.failed))
    }
  })

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      {refusal && <Banner tone="danger">{refusal}</Banner>}
      <Field label="New password" hint="At least 8 characters." error={errors.newPassword}>
        {(control) => (
          <PasswordInput
            {...control}
            {...form.field('newPassword')}
            ref={input}
            autoComplete="new-password"
          />
        )}
      </Field>
      <Field label="Confirm new password" error={errors.confirm}>
        {(control) => <PasswordInput {...control} {...form.field('confirm')} autoComplete="new-password" />}
      </Field>
      <Button type="submit" variant="primary" busy={isSubmitting} className="w-full">
        {isSubmitting ? 'Setting your password...' : 'Set new password'}
      </Button>
    </form>
  )
}
