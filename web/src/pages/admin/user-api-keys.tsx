import type { User } from '@lyceum/contract/auth'
import { useRef } from 'react'
import { ApiKeyList } from '#features/api-keys/ApiKeyList.tsx'
import { CreateApiKeyButton } from '#features/api-keys/CreateApiKeyButton.tsx'
import { useEditRefusal, type Viewer } from '#features/users/UserActions.tsx'
import { Section } from './user-section.tsx'

/** The API keys with which programs act as the user. Only system administrators can create one here. */
export function UserApiKeys({ user, viewer }: { user: User; viewer: Viewer }) {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Section
      title="API keys"
      headingRef={heading}
      action={viewer.isSystemAdmin && <CreateApiKeyButton owner={user} />}
    >
      <ApiKeyList owner={user} revokeRefusal={useEditRefusal(user, viewer)} heading={heading} />
    </Section>
  )
}
