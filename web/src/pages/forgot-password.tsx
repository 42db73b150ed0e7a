import { useState } from 'react'
import { AuthScreen } from '#features/auth/AuthScreen.tsx'
import { createEmailState, useTypedEmail } from '#features/auth/email-prefill.ts'
import { ForgotPasswordForm, type ResetLinkRequest } from '#features/auth/ForgotPasswordForm.tsx'
import { LinkSentNote } from '#features/auth/LinkSentNote.tsx'
import { useCanSendEmail } from '#features/auth/visitor-facts.ts'
import { Banner } from '#ui/Banner.tsx'
import { TextLink } from '#ui/TextLink.tsx'

export function ForgotPasswordPage() {
  const typedEmail = useTypedEmail()
  const [request, setRequest] = useState<ResetLinkRequest | null>(null)
  const canSendEmail = useCanSendEmail()
  const sentTitle = canSendEmail ? 'Check your email' : 'Ask an administrator'
  return (
    <AuthScreen
      title={request === null ? 'Forgot your password?' : sentTitle}
      lead={
        request === null &&
        canSendEmail &&
        'Enter your email address and we’ll send you a link to set a new password.'
      }
      footer={
        <TextLink to="/login" state={createEmailState(request?.email ?? typedEmail)}>
          Back to sign in
        </TextLink>
      }
    >
      {request === null && !canSendEmail && (
        <div className="mb-5">
          <Banner tone="warning">
            This server cannot send email. Ask an administrator for a link to set a new password.
          </Banner>
        </div>
      )}
      {request === null ? (
        <ForgotPasswordForm email={typedEmail} onSent={setRequest} />
      ) : (
        <LinkSentNote
          request={request}
          canSendEmail={canSendEmail}
          onUseAnotherEmail={() => setRequest(null)}
        />
      )}
    </AuthScreen>
  )
}
