import { useState } from 'react'
import { AuthScreen } from '#features/auth/AuthScreen.tsx'
import { InvalidResetLink, ResetPasswordForm } from '#features/auth/ResetPasswordForm.tsx'
import { useLinkToken } from '#features/auth/use-link-token.ts'
import { texts } from '#texts/visitor.ts'
import { TextLink } from '#ui/TextLink.tsx'

export function ResetPasswordPage() {
  const token = useLinkToken('/reset-password')
  const [refusal, setRefusal] = useState<string | null>(token === '' ? texts.signIn.invalidResetLink : null)
  return (
    <AuthScreen title="Set a new password" footer={<TextLink to="/login">Back to sign in</TextLink>}>
      {refusal === null ? (
        <ResetPasswordForm token={token} onInvalidLink={setRefusal} />
      ) : (
        <InvalidResetLink>{refusal}</InvalidResetLink>
      )}
    </AuthScreen>
  )
}
