import { authApi, registrationForm } from '@lyceum/contract/auth'
import type { InvitationVerification } from '@lyceum/contract/invitations'
import { Info, ShieldCheck, ShieldOff } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { formatCount } from '#lib/format-count.ts'
import { useFirstEmptyField } from '#lib/use-first-empty-field.ts'
import { useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/visitor.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Field } from '#ui/Field.tsx'
import { PasswordInput } from '#ui/PasswordInput.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { toast } from '#ui/toast.ts'
import { useSessionActions } from './SessionProvider.tsx'

function TwoFactorNote({ invitation }: { invitation: InvitationVerification }) {
  const { twoFactorExpiryEnabled: isEnabled, twoFactorExpiryDays: days, isSetup } = invitation
  // The setup link turns it off only if there is no mail server, so that a warning sign would be out of place.
  const DisabledIcon = isSetup ? Info : ShieldOff
  const Icon = isEnabled ? ShieldCheck : DisabledIcon
  return (
    <div className="flex items-start gap-3 rounded-card border border-hairline bg-surface px-4 py-3 text-sm">
      <Icon aria-hidden="true" className="mt-px size-4.5 shrink-0 text-muted" strokeWidth={1.75} />
      <div>
        <p className="font-medium">Two-factor authentication is {isEnabled ? 'enabled' : 'disabled'}</p>
        {isEnabled && <p className="text-muted">Expires after {formatCount(days, 'day')}</p>}
        {!isEnabled && isSetup && (
          <p className="text-muted">
            It sends codes by email. You can turn it on once a mail server is configured.
          </p>
        )}
      </div>
    </div>
  )
}

interface Props {
  token: string
  invitation: InvitationVerification
}

/** Registers with an invitation, then signs in with the same credentials. */
export function RegistrationForm({ token, invitation }: Props) {
  const session = useSessionActions()
  const [, navigate] = useLocation()
  const [refusal, setRefusal] = useState<string | null>(null)
  const formElement = useFirstEmptyField()
  const { email, fullName } = invitation
  const form = useSchemaForm(registrationForm, { email, fullName, password: '', confirm: '' })
  const { errors, isSubmitting } = form
  // Only the setup link of a new installation comes without an email address.
  const canEditEmail = invitation.isSetup && email === ''

  async function signIn(credentials: { email: string; password: string }): Promise<void> {
    try {
      const needsCode = await session.login(credentials, 'user')
      navigate(needsCode ? '/verify-2fa' : '/dashboard', { replace: true })
    } catch (error) {
      // The account exists now, so registering again would fail.
      toast.error(messageOf(error, texts.registration.loginFailed))
      navigate('/login', { replace: true })
    }
  }

  const submit = form.handleSubmit(async ({ confirm: _, ...values }) => {
    setRefusal(null)
    try {
      await call(authApi.register, { body: { ...values, token } })
    } catch (error) {
      if (!form.showFieldErrors(error)) setRefusal(messageOf(error, texts.registration.failed))
      return
    }
    await signIn(values)
  })

  return (
    <form ref={formElement} noValidate onSubmit={submit} className="flex flex-col gap-5">
      {refusal && <Banner tone="danger">{refusal}</Banner>}
      <Field label="Email" error={errors.email}>
        {(control) => (
          <TextInput
            {...control}
            {...form.field('email')}
            type="email"
            readOnly={!canEditEmail}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <Field label="Full name" error={errors.fullName}>
        {(control) => <TextInput {...control} {...form.field('fullName')} autoComplete="name" />}
      </Field>
      <Field
        label="Password"
        hint={errors.password === undefined && 'At least 8 characters.'}
        error={errors.password}
      >
        {(control) => <PasswordInput {...control} {...form.field('password')} autoComplete="new-password" />}
      </Field>
      <Field label="Confirm password" error={errors.confirm}>
        {(control) => <PasswordInput {...control} {...form.field('confirm')} autoComplete="new-password" />}
      </Field>
      <TwoFactorNote invitation={invitation} />
      <Button type="submit" variant="primary" busy={isSubmitting} className="w-full">
        {isSubmitting ? 'Creating your account...' : 'Complete registration'}
      </Button>
    </form>
  )
}
