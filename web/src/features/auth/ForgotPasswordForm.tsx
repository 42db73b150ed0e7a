import { authApi, forgotInput } from '@lyceum/contract/auth'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/visitor.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Field } from '#ui/Field.tsx'
import { TextInput } from '#ui/TextInput.tsx'

export interface ResetLinkRequest {
  email: string
  /** The server's confirmation, which may be empty. */
  message: string
}

export async function requestResetLink(email: string): Promise<ResetLinkRequest> {
  const { message } = await call(authApi.forgotPassword, { body: { email } })
  return { email, message }
}

interface Props {
  /** The address typed on the previous page. */
  email: string
  /** When false, the link only reaches administrators, so the button is not the page’s main action. */
  canSendEmail: boolean
  takesFocus: boolean
  onSent: (request: ResetLinkRequest) => void
}

export function ForgotPasswordForm({ email, canSendEmail, takesFocus, onSent }: Props) {
  const [refusal, setRefusal] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const form = useSchemaForm(forgotInput, { email })

  useEffect(() => {
    if (takesFocus) input.current?.focus()
  }, [takesFocus])

  const submit = form.handleSubmit(async (values) => {
    setRefusal(null)
    try {
      onSent(await requestResetLink(values.email))
    } catch (error) {
      if (!form.showFieldErrors(error)) setRefusal(messageOf(error, texts.signIn.failed))
    }
  })

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      {refusal && <Banner tone="danger">{refusal}</Banner>}
      <Field label="Email" hint={!canSendEmail && texts.signIn.linkGoesToServer} error={form.errors.email}>
        {(control) => (
          <TextInput
            {...control}
            {...form.field('email')}
            ref={input}
            type="email"
            inputMode="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <Button
        type="submit"
        variant={canSendEmail ? 'primary' : 'secondary'}
        busy={form.isSubmitting}
        className="w-full"
      >
        {form.isSubmitting ? 'Sending...' : 'Send reset link'}
      </Button>
    </form>
  )
}
