import type { DocumentStatus } from '@lyceum/contract/documents'
import { Check, Hourglass, type LucideIcon, X } from 'lucide-react'
import { Status, type Tone } from '#ui/Status.tsx'

const styles: Record<DocumentStatus, { tone: Tone; icon: LucideIcon; label: string }> = {
  pending: { tone: 'warning', icon: Hourglass, label: 'Pending' },
  approved: { tone: 'success', icon: Check, label: 'Approved' },
  rejected: { tone: 'danger', icon: X, label: 'Rejected' },
}

export function ReviewStatus({ status }: { status: DocumentStatus }) {
  const { tone, icon, label } = styles[status]
  return (
    <Status tone={tone} icon={icon}>
      {label}
    </Status>
  )
}
