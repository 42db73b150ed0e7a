import { useState } from 'react'
import { AuthScreen } from '#features/auth/AuthScreen.tsx'
import { createEmailState, useTypedEmail } from '#features/auth/email-prefill.ts'
import { ForgotPasswordForm, type ResetLinkRequest } from '#features/auth/ForgotPasswordForm.tsx'
import { LinkSentNote } from '#features/auth/LinkSentNote.tsx'
import { TextLink } from '#ui/TextLink.tsx'

export function ForgotPasswordPage() {
  const typedEmail = useTypedEmail()
  const [request, setRequest] = useState<ResetLinkRequest | null>(null)
  return (
    <AuthScreen
      title={request === null ? 'Forgot your password?' : 'Check your email'}
      lead={request === null && 'Enter your email address and we’ll send you a link to set a new password.'}
      footer={
        <TextLink to="/login" state={createEmailState(request?.email ?? typedEmail)}>
          Back to sign in
        </TextLink>
      }
    >
      {request === null ? (
        <ForgotPasswordForm email={typedEmail} onSent={setRequest} />
      ) : (
        <LinkSentNote request={request} onUseAnotherEmail={() => setRequest(null)} />
      )}
    </AuthScreen>
  )
}
