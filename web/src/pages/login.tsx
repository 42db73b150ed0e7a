import { useState } from 'react'
import { AuthScreen } from '#features/auth/AuthScreen.tsx'
import { CredentialsForm } from '#features/auth/CredentialsForm.tsx'
import { createEmailState, useTypedEmail } from '#features/auth/email-prefill.ts'
import { NotSetUp } from '#features/auth/NotSetUp.tsx'
import { useIsSetUp } from '#features/auth/visitor-facts.ts'
import { SignInWays } from '#features/single-sign-on/SignInWays.tsx'
import { usePathExists } from '#lib/known-paths.ts'
import { texts } from '#texts/visitor.ts'
import { product } from '#theme/product.ts'
import { TextLink } from '#ui/TextLink.tsx'

export function LoginPage() {
  const pathExists = usePathExists()
  const [email, setEmail] = useState(useTypedEmail())
  const isSetUp = useIsSetUp()
  if (isSetUp === false) return <NotSetUp />
  return (
    <AuthScreen
      title="Sign in"
      // A new installation must not welcome anyone back, so this line stays empty until the state is known.
      lead={isSetUp === null ? '\u00a0' : `Welcome back to ${product.name}.`}
      footer={
        <>
          {pathExists('/forgot-password') && (
            <TextLink to="/forgot-password" state={createEmailState(email)}>
              Forgot your password?
            </TextLink>
          )}
          <p className="text-muted">
            Administrator? <TextLink to="/admin/login">Sign in here</TextLink>
          </p>
        </>
      }
    >
      <SignInWays door="user">
        <CredentialsForm door="user" fallbackError={texts.signIn.failed} onEmailChange={setEmail} />
      </SignInWays>
    </AuthScreen>
  )
}
