import { type ReactNode, type Ref, useId } from 'react'
import { Card } from '#ui/Card.tsx'
import { cx } from '#ui/cx.ts'

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

/** Short facts share rows. A half of the window has less room than a narrow window. */
export const factGrid = 'grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-2 xl:grid-cols-3'

export function Facts({ children }: { children: ReactNode }) {
  return <dl className={factGrid}>{children}</dl>
}

interface FactProps {
  label: string
  className?: string
  children: ReactNode
}

export function Fact({ label, className, children }: FactProps) {
  return (
    <div className={cx('min-w-0', className)}>
      <dt className="text-muted text-xs">{label}</dt>
      <dd className="wrap-anywhere mt-0.5 text-sm">{children}</dd>
    </div>
  )
}
