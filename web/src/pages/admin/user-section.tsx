import { type ReactNode, type Ref, useId } from 'react'
import { Card } from '#ui/Card.tsx'

interface SectionProps {
  title: string
  headingRef?: Ref<HTMLHeadingElement>
  /** Buttons that change what the card shows. */
  action?: ReactNode
  children: ReactNode
}

export function Section({ title, headingRef, action, children }: SectionProps) {
  const id = useId()
  return (
    <Card>
      <section aria-labelledby={id}>
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2 ref={headingRef} id={id} tabIndex={-1} className="rounded-sm font-semibold text-lg">
            {title}
          </h2>
          {action && <div className="flex flex-wrap gap-2 sm:justify-end">{action}</div>}
        </div>
        <div className="mt-4">{children}</div>
      </section>
    </Card>
  )
}

export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid gap-4 sm:grid-cols-2">{children}</dl>
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-xs">{label}</dt>
      <dd className="wrap-anywhere mt-0.5 text-sm">{children}</dd>
    </div>
  )
}
