import type { SetupProgress } from '@lyceum/contract/get-started'
import type { Overview } from '@lyceum/contract/overview'
import { ChevronRight, CircleCheck, TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import { Card } from '#ui/Card.tsx'
import { Link } from '#ui/Link.tsx'
import { listAttentionItems } from './attention-items.ts'

interface Props {
  overview: Overview
  /** The set-up steps that are shown above. */
  steps: SetupProgress['steps']
}

/** What needs attention and is not already an open step, or that nothing does. */
export function Attention({ overview, steps }: Props) {
  const headingId = useId()
  const openSteps: ReadonlySet<string> = new Set(
    steps.filter(({ isDone }) => !isDone).map(({ step }) => step),
  )
  const items = listAttentionItems(overview).filter(({ key }) => !openSteps.has(key))
  if (items.length === 0 && openSteps.size > 0) return null
  if (items.length === 0)
    return (
      <p className="flex items-center gap-2 text-muted text-sm">
        <CircleCheck aria-hidden="true" className="size-4 shrink-0 text-success" />
        Nothing needs your attention.
      </p>
    )
  return (
    <section aria-labelledby={headingId}>
      <Card flush>
        <h2 id={headingId} className="px-5 pt-4 pb-2 font-semibold text-lg">
          Needs attention
        </h2>
        <ul className="divide-y divide-hairline">
          {items.map(({ key, to, text }) => (
            <li key={key}>
              <Link
                to={to}
                className="flex min-h-11 items-center gap-3 px-5 py-2.5 text-sm -outline-offset-2 hover:bg-surface-2"
              >
                <TriangleAlert aria-hidden="true" className="size-4 shrink-0 text-warning" />
                <span className="min-w-0 flex-1">{text}</span>
                <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted" />
              </Link>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  )
}
