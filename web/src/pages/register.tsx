import { type InvitationVerification, invitationsApi } from '@lyceum/contract/invitations'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { isAborted, messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { AuthScreen } from '#features/auth/AuthScreen.tsx'
import { RegistrationForm } from '#features/auth/RegistrationForm.tsx'
import { useLinkToken } from '#features/auth/use-link-token.ts'
import { texts } from '#texts/visitor.ts'
import { product } from '#theme/product.ts'
import { Banner } from '#ui/Banner.tsx'
import { Loading } from '#ui/Spinner.tsx'
import { TextLink } from '#ui/TextLink.tsx'

const redirectDelayMs = 3000
const setupTitle = `Set up ${product.name}`

async function verifyInvitation(
  token: string,
  signal: AbortSignal,
): Promise<InvitationVerification | string> {
  if (token === '') return texts.registration.invalidInvitation
  try {
    return await call(invitationsApi.verify, { params: { token } }, { signal })
  } catch (error) {
    if (isAborted(error)) throw error
    return messageOf(error, texts.registration.invalidInvitation)
  }
}

/** Null while it is unknown whether the link is a setup link. */
function getTitle(result: InvitationVerification | string | null): string | null {
  if (result === null) return null
  return typeof result !== 'string' && result.isSetup ? setupTitle : 'Complete your registration'
}

/** Registration by invitation, reachable at /register and /invite. */
function RegistrationScreen({ path }: { path: string }) {
  const token = useLinkToken(path)
  const [, navigate] = useLocation()
  const [result, setResult] = useState<InvitationVerification | string | null>(null)
  const isRefused = typeof result === 'string'
  const isSetup = result !== null && !isRefused && result.isSetup

  useEffect(() => {
    if (isSetup) document.title = `${setupTitle} · ${product.name}`
  }, [isSetup])

  useEffect(() => {
    const controller = new AbortController()
    verifyInvitation(token, controller.signal).then(setResult, () => undefined)
    return () => controller.abort()
  }, [token])

  useEffect(() => {
    if (!isRefused) return
    const timer = setTimeout(() => navigate('/login', { replace: true }), redirectDelayMs)
    return () => clearTimeout(timer)
  }, [isRefused, navigate])

  return (
    <AuthScreen
      title={getTitle(result)}
      lead={isSetup && 'Create your account. It becomes the system administrator.'}
      // Hidden while loading, so that it does not move when the form appears. The first user has no account yet.
      footer={
        result !== null &&
        !isSetup && (
          <p className="text-muted">
            Already registered? <TextLink to="/login">Sign in</TextLink>
          </p>
        )
      }
    >
      {result === null && <Loading label="Checking your invitation…" />}
      {isRefused && (
        <div className="flex flex-col gap-4">
          <Banner tone="danger">{result}</Banner>
          <p className="text-muted text-sm">Taking you to the sign-in page…</p>
        </div>
      )}
      {result !== null && !isRefused && <RegistrationForm token={token} invitation={result} />}
    </AuthScreen>
  )
}

export function RegisterPage() {
  return <RegistrationScreen path="/register" />
}
export function InvitePage() {
  return <RegistrationScreen path="/invite" />
}
