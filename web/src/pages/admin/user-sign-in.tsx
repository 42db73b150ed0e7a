import type { User } from '@lyceum/contract/auth'
import { type ReactNode, useRef } from 'react'
import { ConnectUserButton } from '#features/single-sign-on/ConnectUserButton.tsx'
import { SignInMethods } from '#features/single-sign-on/SignInMethods.tsx'
import { useEditRefusal, type Viewer } from '#features/users/UserActions.tsx'
import { factGrid, Section } from './user-section.tsx'

interface Props {
  user: User
  viewer: Viewer
  facts: ReactNode
  action: ReactNode
}

/** How and when the user signs in. Only system administrators can connect single sign-on. */
export function UserSignIn({ user, viewer, facts, action }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Section title="Signing in" headingRef={heading} action={action}>
      <div className={factGrid}>
        <dl className="contents">{facts}</dl>
        <div className="min-w-0 has-[li+li]:col-span-full">
          <h3 className="text-muted text-xs">Ways to sign in</h3>
          <div className="mt-0.5">
            <SignInMethods userId={user._id} refusal={useEditRefusal(user, viewer)} heading={heading} />
          </div>
        </div>
      </div>
      {viewer.isSystemAdmin && (
        <div className="mt-4 flex empty:hidden max-sm:grid">
          <ConnectUserButton userId={user._id} />
        </div>
      )}
    </Section>
  )
}
