import { cx } from '#ui/cx.ts'

interface Props {
  reason: string | null | undefined
  className?: string
}

/** Why a document was rejected; nothing without a reason. Line breaks are kept. */
export function RejectionReason({ reason, className }: Props) {
  if (!reason) return null
  return (
    <p dir="auto" className={cx('wrap-anywhere whitespace-pre-line text-start text-sm', className)}>
      <span className="text-muted">Reason: </span>
      {reason}
    </p>
  )
}
