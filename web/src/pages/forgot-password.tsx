import { useState } from 'react'
import { AuthScreen } from '#features/auth/AuthScreen.tsx'
import { createEmailState, useTypedEmail } from '#features/auth/email-prefill.ts'
import { ForgotPasswordForm, type ResetLinkRequest } from '#features/auth/ForgotPasswordForm.tsx'
import { LinkSentNote } from '#features/auth/LinkSentNote.tsx'
import { NotSetUp } from '#features/auth/NotSetUp.tsx'
import { useCanSendEmail, useIsSetUp } from '#features/auth/visitor-facts.ts'
import { Banner } from '#ui/Banner.tsx'
import { TextLink } from '#ui/TextLink.tsx'

const title = 'Forgot your password?'

function Waiting() {
  return (
    <AuthScreen title={title}>
      <div role="status" className="h-56">
        <span className="sr-only">Loading…</span>
      </div>
    </AuthScreen>
  )
}

export function ForgotPasswordPage() {
  const typedEmail = useTypedEmail()
  const [request, setRequest] = useState<ResetLinkRequest | null>(null)
  const [isRepeated, setIsRepeated] = useState(false)
  const canSendEmail = useCanSendEmail()
  if (useIsSetUp() === false) return <NotSetUp />
  // The form waits for the answer, because a warning that appears later would move it.
  if (canSendEmail === null) return <Waiting />
  const backLink = { to: '/login', state: createEmailState(request?.email ?? typedEmail) }
  const sentTitle = canSendEmail ? 'Check your email' : 'Ask an administrator'
  return (
    <AuthScreen
      title={request === null ? title : sentTitle}
      lead={
        request === null &&
        canSendEmail &&
        'Enter your email address and we’ll send you a link to set a new password.'
      }
      footer={<TextLink {...backLink}>Back to sign in</TextLink>}
    >
      {request === null && !canSendEmail && (
        <div className="mb-5">
          <Banner tone="warning">
            This server cannot send email. Ask an administrator for a link to set a new password.
          </Banner>
        </div>
      )}
      {request === null ? (
        <ForgotPasswordForm
          email={typedEmail}
          canSendEmail={canSendEmail}
          takesFocus={canSendEmail || isRepeated}
          onSent={setRequest}
        />
      ) : (
        <LinkSentNote
          request={request}
          canSendEmail={canSendEmail}
          onUseAnotherEmail={() => {
            setIsRepeated(true)
            setRequest(null)
          }}
        />
      )}
    </AuthScreen>
  )
}
