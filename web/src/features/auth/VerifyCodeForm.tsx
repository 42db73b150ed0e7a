import { verificationCode } from '@lyceum/contract/auth'
import { useEffect, useId, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { ApiError, messageOf } from '#api/api-error.ts'
import { useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/visitor.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Field } from '#ui/Field.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { toast } from '#ui/toast.ts'
import { useSession, useSessionActions } from './SessionProvider.tsx'

const schema = z.object({ token: verificationCode })

/** Finishes a sign-in with the one-time code. The route guard then decides where to go. */
export function VerifyCodeForm() {
  const session = useSessionActions()
  const { isLoading } = useSession()
  const [refusal, setRefusal] = useState<{ text: string; isWrongCode: boolean } | null>(null)
  const refusalId = useId()
  const input = useRef<HTMLInputElement>(null)
  const form = useSchemaForm(schema, { token: '' })

  useEffect(() => input.current?.focus(), [])

  const submit = form.handleSubmit(async ({ token }) => {
    setRefusal(null)
    try {
      await session.verify(token)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'no-email') {
        // The guard redirects away from this page, so use a toast, which stays visible.
        toast.error(texts.signIn.noPendingEmail)
        return
      }
      setRefusal({
        text: messageOf(error, texts.signIn.codeFailed),
        isWrongCode: error instanceof ApiError && error.code === 'auth.code_invalid',
      })
      // Select the wrong code, so that typing replaces it.
      input.current?.focus()
      input.current?.select()
    }
  })

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      {refusal && (
        <Banner tone="danger">
          <p id={refusalId}>{refusal.text}</p>
        </Banner>
      )}
      <Field label="Verification code" hint="6 digits, valid for 10 minutes." error={form.errors.token}>
        {(control) => (
          <TextInput
            {...control}
            {...(refusal?.isWrongCode && form.errors.token === undefined
              ? {
                  'aria-invalid': true,
                  'aria-describedby': `${refusalId} ${control['aria-describedby'] ?? ''}`.trim(),
                }
              : {})}
            {...form.field('token')}
            ref={input}
            inputMode="numeric"
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            className="tabular-nums tracking-widest"
          />
        )}
      </Field>
      <Button type="submit" variant="primary" busy={isLoading} className="w-full">
        {isLoading ? 'Verifying...' : 'Verify'}
      </Button>
    </form>
  )
}
