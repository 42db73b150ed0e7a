import { type ReactNode, useState } from 'react'
import { AuthScreen } from '#features/auth/AuthScreen.tsx'
import { CredentialsForm } from '#features/auth/CredentialsForm.tsx'
import { createEmailState, useTypedEmail } from '#features/auth/email-prefill.ts'
import { NotSetUp } from '#features/auth/NotSetUp.tsx'
import { readPendingEmbed } from '#features/auth/pending-consent.ts'
import { useIsSetUp } from '#features/auth/visitor-facts.ts'
import { EmbedPurpose } from '#features/embedding/EmbedPurpose.tsx'
import { SignInWays } from '#features/single-sign-on/SignInWays.tsx'
import { usePathExists } from '#lib/known-paths.ts'
import { texts } from '#texts/visitor.ts'
import { product } from '#theme/product.ts'
import { TextLink } from '#ui/TextLink.tsx'

/** A new installation must not welcome anyone back, so the line stays empty until the state is known. */
function chooseLead(isSetUp: boolean | null, embed: ReturnType<typeof readPendingEmbed>): ReactNode {
  if (isSetUp === null) return '\u00a0'
  return embed === null ? `Welcome back to ${product.name}.` : <EmbedPurpose {...embed} />
}

export function LoginPage() {
  const pathExists = usePathExists()
  const [email, setEmail] = useState(useTypedEmail())
  const [embed] = useState(readPendingEmbed)
  const isSetUp = useIsSetUp()
  if (isSetUp === false) return <NotSetUp />
  return (
    <AuthScreen
      title="Sign in"
      lead={chooseLead(isSetUp, embed)}
      footer={
        <>
          {pathExists('/forgot-password') && (
            <TextLink to="/forgot-password" state={createEmailState(email)}>
              Forgot your password?
            </TextLink>
          )}
          {embed === null && (
            <p className="text-muted">
              Administrator? <TextLink to="/admin/login">Sign in here</TextLink>
            </p>
          )}
        </>
      }
    >
      <SignInWays door="user">
        <CredentialsForm door="user" fallbackError={texts.signIn.failed} onEmailChange={setEmail} />
      </SignInWays>
    </AuthScreen>
  )
}
