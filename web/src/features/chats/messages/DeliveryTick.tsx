import { Check, CheckCheck, TriangleAlert } from 'lucide-react'
import { cx } from '#ui/cx.ts'

export type Delivery = 'sent' | 'delivered' | 'read' | 'failed'

const ticks = {
  sent: { icon: Check, label: 'Sent', color: '' },
  delivered: { icon: CheckCheck, label: 'Delivered', color: '' },
  read: { icon: CheckCheck, label: 'Read', color: 'text-link' },
  failed: { icon: TriangleAlert, label: 'Not delivered', color: 'text-danger' },
}

/** The delivery state of a message. The two double ticks differ only in color, so each has a label. */
export function DeliveryTick({ delivery }: { delivery: Delivery }) {
  const { icon: Icon, label, color } = ticks[delivery]
  return (
    <span title={label} className={cx('inline-flex items-center', color)}>
      <Icon aria-hidden="true" className="size-4" strokeWidth={delivery === 'read' ? 2.5 : 2} />
      <span className="sr-only">{label}</span>
    </span>
  )
}
