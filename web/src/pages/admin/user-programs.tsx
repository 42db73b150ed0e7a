import type { User } from '@lyceum/contract/auth'
import { useRef } from 'react'
import { ProgramList } from '#features/connected-programs/ProgramList.tsx'
import { useEditRefusal, type Viewer } from '#features/users/UserActions.tsx'
import { Section } from './user-section.tsx'

/** The programs that the user has connected. */
export function UserPrograms({ user, viewer }: { user: User; viewer: Viewer }) {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Section title="Connected programs" headingRef={heading}>
      <ProgramList owner={user} disconnectRefusal={useEditRefusal(user, viewer)} heading={heading} />
    </Section>
  )
}
