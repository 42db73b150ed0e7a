import type { QuotaLeft } from '@lyceum/contract/quotas'
import { Hourglass } from 'lucide-react'
import type { ReactNode } from 'react'
import { exhaustedLabels } from '../quotas/quota-labels.ts'
import { ComposerNote, type ComposerNoteProps } from './ComposerNote.tsx'

interface Props extends ComposerNoteProps {
  left: QuotaLeft
  action?: ReactNode
}

/** In place of the message field while a limit is used up: what happened, when it is over, and how to continue now. */
export function LimitNote({ left, ...props }: Props) {
  const { title, hint } = exhaustedLabels(left)
  return (
    <ComposerNote {...props} icon={Hourglass}>
      <span className="block font-semibold">{title}</span> {hint}
    </ComposerNote>
  )
}
