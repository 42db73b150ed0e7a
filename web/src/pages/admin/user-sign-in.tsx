import type { User } from '@lyceum/contract/auth'
import { useRef } from 'react'
import { ConnectUserButton } from '#features/single-sign-on/ConnectUserButton.tsx'
import { SignInMethods } from '#features/single-sign-on/SignInMethods.tsx'
import { useEditRefusal, type Viewer } from '#features/users/UserActions.tsx'
import { Section } from './user-section.tsx'

/** How the user signs in. Only system administrators can connect them to single sign-on. */
export function UserSignIn({ user, viewer }: { user: User; viewer: Viewer }) {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Section
      title="Signing in"
      headingRef={heading}
      action={viewer.isSystemAdmin && <ConnectUserButton userId={user._id} />}
    >
      <SignInMethods userId={user._id} refusal={useEditRefusal(user, viewer)} heading={heading} />
    </Section>
  )
}
