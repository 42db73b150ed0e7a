import type { User } from '@lyceum/contract/auth'
import { useId, useRef } from 'react'
import { ConnectUserButton } from '#features/single-sign-on/ConnectUserButton.tsx'
import { SignInMethods } from '#features/single-sign-on/SignInMethods.tsx'
import { useEditRefusal, type Viewer } from '#features/users/UserActions.tsx'

/** How the user signs in, below the facts of the account. Only system administrators can connect single sign-on. */
export function UserSignIn({ user, viewer }: { user: User; viewer: Viewer }) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <section aria-labelledby={id} className="mt-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="min-w-0">
        <h3 ref={heading} id={id} tabIndex={-1} className="rounded-sm text-muted text-xs">
          Signing in
        </h3>
        <div className="mt-0.5">
          <SignInMethods userId={user._id} refusal={useEditRefusal(user, viewer)} heading={heading} />
        </div>
      </div>
      {viewer.isSystemAdmin && <ConnectUserButton userId={user._id} />}
    </section>
  )
}
