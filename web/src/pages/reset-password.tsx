import { useState } from 'react'
import { AuthScreen } from '#features/auth/AuthScreen.tsx'
import { LinkRefused } from '#features/auth/LinkRefused.tsx'
import { ResetPasswordForm } from '#features/auth/ResetPasswordForm.tsx'
import { useLinkToken } from '#features/auth/use-link-token.ts'
import { TextLink } from '#ui/TextLink.tsx'
import { messages } from '../messages/visitor.ts'

export const ResetPasswordPage = () => {
  const token = useLinkToken('/reset-password')
  const [refusal, setRefusal] = useState<string | null>(
    token === '' ? messages.signIn.invalidResetLink : null,
  )
  return (
    <AuthScreen title="Set a new password" footer={<TextLink to="/login">Back to sign in</TextLink>}>
      {refusal === null ? (
        <ResetPasswordForm token={token} onLinkRefused={setRefusal} />
      ) : (
        <LinkRefused>{refusal}</LinkRefused>
      )}
    </AuthScreen>
  )
}
