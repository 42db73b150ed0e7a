import { authApi, resetForm } from '@lyceum/contract/auth'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { ApiError, messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/visitor.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { buttonStyle } from '#ui/button-style.ts'
import { Field } from '#ui/Field.tsx'
import { Link } from '#ui/Link.tsx'
import { PasswordInput } from '#ui/PasswordInput.tsx'
import { toast } from '#ui/toast.ts'
import { useSessionActions } from './SessionProvider.tsx'

/** Replaces the form when the link does not work, and offers to request a new link. */
export function InvalidResetLink({ children }: { children: string }) {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => link.current?.focus(), [])
  return (
    <div className="flex flex-col gap-5">
      <Banner tone="danger">{children}</Banner>
      <Link ref={link} to="/forgot-password" className={buttonStyle('primary', 'regular', 'w-full')}>
        Request a new link
      </Link>
    </div>
  )
}

interface Props {
  token: string
  onInvalidLink: (reason: string) => void
}

/** The message when the server rejected the link rather than the password, else null. */
function explainInvalidLink(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null
  if (error.code.startsWith('auth.reset_')) return messageOf(error, texts.signIn.invalidResetLink)
  return 'token' in error.fields ? texts.signIn.invalidResetLink : null
}

/** Sets a new password. The server signs the user in, unless it is configured not to. */
export function ResetPasswordForm({ token, onInvalidLink }: Props) {
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
      if (session.open(result)) return
      toast.success(texts.signIn.passwordChanged)
      navigate('/login', { replace: true })
    } catch (error) {
      const invalidLink = explainInvalidLink(error)
      if (invalidLink !== null) onInvalidLink(invalidLink)
      else if (!form.showFieldErrors(error)) setRefusal(messageOf(error, texts.signIn.failed))
    }
  })

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      {refusal && <Banner tone="danger">{refusal}</Banner>}
      <Field
        label="New password"
        hint={errors.newPassword === undefined && 'At least 8 characters.'}
        error={errors.newPassword}
      >
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
