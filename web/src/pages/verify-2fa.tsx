import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { AuthScreen } from '#features/auth/AuthScreen.tsx'
import { ResendCode } from '#features/auth/ResendCode.tsx'
import { useSession, useSessionActions } from '#features/auth/SessionProvider.tsx'
import { VerifyCodeForm } from '#features/auth/VerifyCodeForm.tsx'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'

/** Asks for the one-time code of a pending sign-in. If no sign-in is pending, the route guard redirects. */
export function VerifyPage() {
  const session = useSessionActions()
  const { pending } = useSession()
  /** Each new code starts with an empty form, because what was entered before cannot be right. */
  const [codesSent, setCodesSent] = useState(0)
  if (pending === null) return null
  const { email, delivery, resendAt } = pending
  const isMailed = delivery === 'mail'
  return (
    <AuthScreen
      title="Enter your code"
      lead={
        <>
          {isMailed ? 'We sent a code to ' : 'Enter the code for '}
          <span className="wrap-anywhere font-medium text-ink">{email}</span>.
        </>
      }
      footer={
        <Button variant="ghost" onClick={() => session.cancelPendingCode()}>
          <ArrowLeft aria-hidden="true" className="size-4" />
          Back to sign in
        </Button>
      }
    >
      {!isMailed && (
        <div className="mb-5">
          <Banner tone="info">This server cannot send email. Ask your administrator for the code.</Banner>
        </div>
      )}
      <VerifyCodeForm key={codesSent} />
      <ResendCode resendAt={resendAt} isMailed={isMailed} onSent={() => setCodesSent(codesSent + 1)} />
    </AuthScreen>
  )
}
