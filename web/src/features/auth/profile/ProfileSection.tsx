import { type ReactNode, type RefObject, useId, useRef } from 'react'
import { useHashTarget } from '#lib/use-hash-target.ts'
import { Card } from '#ui/Card.tsx'
import { type ProfilePart, profileParts } from './profile-parts.ts'

interface Props {
  part: ProfilePart
  lead?: string
  headingRef?: RefObject<HTMLHeadingElement | null>
  action?: ReactNode
  children: ReactNode
}

export function ProfileSection({ part, lead, headingRef, action, children }: Props) {
  const headingId = useId()
  const ownRef = useRef<HTMLHeadingElement>(null)
  const heading = headingRef ?? ownRef
  useHashTarget(part, heading)
  return (
    <section aria-labelledby={headingId}>
      <Card className="sm:p-6">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
          <div className="min-w-0">
            <h2 ref={heading} id={headingId} tabIndex={-1} className="rounded-sm font-semibold text-lg">
              {profileParts[part]}
            </h2>
            {lead && <p className="mt-1 text-muted text-sm">{lead}</p>}
          </div>
          {action}
        </div>
        <div className="mt-5">{children}</div>
      </Card>
    </section>
  )
}
