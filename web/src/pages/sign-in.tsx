import { singleSignOnApi } from '@lyceum/contract/single-sign-on'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { ApiError, messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { AuthScreen } from '#features/auth/AuthScreen.tsx'
import { useSessionActions } from '#features/auth/SessionProvider.tsx'
import { texts } from '#texts/visitor.ts'
import { Banner } from '#ui/Banner.tsx'
import { buttonStyle } from '#ui/button-style.ts'
import { Link } from '#ui/Link.tsx'
import { Loading } from '#ui/Spinner.tsx'

/** Where issuers send the browser back to. Finishes the sign-in; then the route guard decides where to go. */
export function SignInPage() {
  const session = useSessionActions()
  const { issuerId = '' } = useParams()
  const [, navigate] = useLocation()
  const [refusal, setRefusal] = useState<string | null>(null)
  const link = useRef<HTMLAnchorElement>(null)
  // Read once: the code and the state work once, and are removed from the address and the history.
  const [query] = useState(() => location.search.slice(1))
  const hasStarted = useRef(false)

  useEffect(() => {
    if (hasStarted.current) return
    hasStarted.current = true
    navigate(`/sign-in/${issuerId}`, { replace: true })
    const finished = call(singleSignOnApi.finish, { params: { issuerId }, body: { query } })
    session.openSingleSignOn(finished).then(
      (needsCode) => {
        if (needsCode) navigate('/verify-2fa', { replace: true })
      },
      (error: unknown) => {
        const isAdminOnly = error instanceof ApiError && error.code === 'auth.admin_only'
        setRefusal(isAdminOnly ? texts.signIn.notAdmin : messageOf(error, texts.signIn.unreachable))
      },
    )
  }, [issuerId, query, session, navigate])

  useEffect(() => {
    if (refusal !== null) link.current?.focus()
  }, [refusal])

  if (refusal === null) return <Loading fullPage />
  return (
    <AuthScreen title="Sign in">
      <div className="flex flex-col gap-5">
        <Banner tone="danger">{refusal}</Banner>
        <Link ref={link} to="/login" className={buttonStyle('primary', 'regular', 'w-full')}>
          Back to sign in
        </Link>
      </div>
    </AuthScreen>
  )
}
