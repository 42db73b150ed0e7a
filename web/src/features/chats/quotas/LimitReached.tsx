import type { QuotaLeft } from '@lyceum/contract/quotas'
import { Hourglass } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '#ui/EmptyState.tsx'
import { exhaustedLabels } from './quota-labels.ts'

/** In place of an empty chat in which nothing can be sent: what happened, and how to continue. */
export function LimitReached({ left, action }: { left: QuotaLeft; action?: ReactNode }) {
  const { title, hint } = exhaustedLabels(left)
  return (
    <div role="status">
      <EmptyState icon={Hourglass} hint={hint} action={action}>
        {title}
      </EmptyState>
    </div>
  )
}
