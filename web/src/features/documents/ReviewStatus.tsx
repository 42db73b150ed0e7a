import type { DocumentStatus } from '@lyceum/contract/documents'
import { Check, Hourglass, type LucideIcon, X } from 'lucide-react'
import { Status, type Tone } from '#ui/Status.tsx'

const looks: Record<DocumentStatus, { tone: Tone; icon: LucideIcon; word: string }> = {
  pending: { tone: 'warning', icon: Hourglass, word: 'Pending' },
  approved: { tone: 'success', icon: Check, word: 'Approved' },
  rejected: { tone: 'danger', icon: X, word: 'Rejected' },
}

/** What the review of a document has come to. */
export function ReviewStatus({ status }: { status: DocumentStatus }) {
  const { tone, icon, word } = looks[status]
  return (
    <Status tone={tone} icon={icon}>
      {word}
    </Status>
  )
}
