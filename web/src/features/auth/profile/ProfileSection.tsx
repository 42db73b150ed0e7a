import { type ReactNode, type Ref, useId } from 'react'
import { Card } from '#ui/Card.tsx'

interface Props {
  title: string
  lead?: string
  headingRef?: Ref<HTMLHeadingElement>
  action?: ReactNode
  children: ReactNode
}

export function ProfileSection({ title, lead, headingRef, action, children }: Props) {
  const headingId = useId()
  return (
    <section aria-labelledby={headingId}>
      <Card className="sm:p-6">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
          <div className="min-w-0">
            <h2 ref={headingRef} id={headingId} tabIndex={-1} className="rounded-sm font-semibold text-lg">
              {title}
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
