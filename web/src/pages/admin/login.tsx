import { AuthScreen } from '#features/auth/AuthScreen.tsx'
import { CredentialsForm } from '#features/auth/CredentialsForm.tsx'
import { NotSetUp } from '#features/auth/NotSetUp.tsx'
import { useIsSetUp } from '#features/auth/visitor-facts.ts'
import { SignInWays } from '#features/single-sign-on/SignInWays.tsx'
import { texts } from '#texts/visitor.ts'
import { TextLink } from '#ui/TextLink.tsx'

export function AdminLoginPage() {
  if (useIsSetUp() === false) return <NotSetUp />
  return (
    <AuthScreen
      title="Administrator sign-in"
      lead="For administrators only."
      footer={
        <p className="text-muted">
          Not an administrator? <TextLink to="/login">Sign in here</TextLink>
        </p>
      }
    >
      <SignInWays door="admin">
        <CredentialsForm door="admin" fallbackError={texts.signIn.adminFailed} />
      </SignInWays>
    </AuthScreen>
  )
}
