import { verificationCode } from '@lyceum/contract/auth'
import { useEffect, useRef, useState } from 'react'
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

/** The code that was sent. Where the session leads that it opens is the guard's decision. */
export function VerifyCodeForm() {
  const session = useSessionActions()
  const { isLoading } = useSession()
  const [refusal, setRefusal] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const form = useSchemaForm(schema, { token: '' })

  useEffect(() => input.current?.focus(), [])

  const submit = form.handleSubmit(async ({ token }) => {
    setRefusal(null)
    try {
      await session.verify(token)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'no-email') {
        // The guard leads away from here; the words have to come along.
        toast.error(texts.signIn.noPendingEmail)
        return
      }
      setRefusal(messageOf(error, texts.signIn.codeFailed))
      // The next code replaces this one.
      input.current?.focus()
      input.current?.select()
    }
  })

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      {refusal && <Banner tone="danger">{refusal}</Banner>}
      <Field
        label="Verification code"
        hint="Six digits, good for ten minutes and for one sign-in."
        error={form.errors.token}
      >
        {(control) => (
          <TextInput
            {...control}
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
