import { credentials } from '@lyceum/contract/auth'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { ApiError, messageOf } from '#api/api-error.ts'
import { useFirstEmptyField } from '#lib/use-first-empty-field.ts'
import { useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/visitor.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Field } from '#ui/Field.tsx'
import { PasswordInput } from '#ui/PasswordInput.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { useTypedEmail } from './email-prefill.ts'
import type { Door } from './pending-code.ts'
import { useSession, useSessionActions } from './SessionProvider.tsx'

interface Props {
  door: Door
  /** Shown when the server sends no message. */
  fallbackError: string
  /** Lets links to other screens pass on the email address typed so far. */
  onEmailChange?: (email: string) => void
}

/** Signs in with email and password. The route guard then decides where to go. */
export function CredentialsForm({ door, fallbackError, onEmailChange }: Props) {
  const session = useSessionActions()
  const { isLoading } = useSession()
  const [, navigate] = useLocation()
  const [refusal, setRefusal] = useState<string | null>(null)
  const formElement = useFirstEmptyField()
  const form = useSchemaForm(credentials, { email: useTypedEmail(), password: '' })
  const email = form.field('email')

  const submit = form.handleSubmit(async (values) => {
    setRefusal(null)
    try {
      if (await session.login(values, door)) navigate('/verify-2fa')
    } catch (error) {
      if (error instanceof ApiError && error.code === 'auth.admin_only') setRefusal(texts.signIn.notAdmin)
      else if (!form.showFieldErrors(error)) setRefusal(messageOf(error, fallbackError))
    }
  })

  return (
    <form ref={formElement} noValidate onSubmit={submit} className="flex flex-col gap-5">
      {refusal && <Banner tone="danger">{refusal}</Banner>}
      <Field label="Email" error={form.errors.email}>
        {(control) => (
          <TextInput
            {...control}
            {...email}
            onChange={(event) => {
              email.onChange(event)
              onEmailChange?.(event.target.value)
            }}
            type="email"
            inputMode="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <Field label="Password" error={form.errors.password}>
        {(control) => (
          <PasswordInput {...control} {...form.field('password')} autoComplete="current-password" />
        )}
      </Field>
      <Button type="submit" variant="primary" busy={isLoading} className="w-full">
        {isLoading ? 'Signing in...' : 'Sign in'}
      </Button>
    </form>
  )
}
