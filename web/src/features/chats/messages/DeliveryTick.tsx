import { Check, CheckCheck, TriangleAlert } from 'lucide-react'
import { cx } from '#ui/cx.ts'

export type Delivery = 'sent' | 'delivered' | 'read' | 'failed'

const ticks = {
  sent: { icon: Check, label: 'Sent', colour: '' },
  delivered: { icon: CheckCheck, label: 'Delivered', colour: '' },
  read: { icon: CheckCheck, label: 'Read', colour: 'text-link' },
  failed: { icon: TriangleAlert, label: 'Not delivered', colour: 'text-danger' },
}

/** The delivery state of a message. The two double ticks differ only in colour, so each has a label. */
export function DeliveryTick({ delivery }: { delivery: Delivery }) {
  const { icon: Icon, label, colour } = ticks[delivery]
  return (
    <span title={label} className={cx('inline-flex items-center', colour)}>
      <Icon aria-hidden="true" className="size-4" strokeWidth={delivery === 'read' ? 2.5 : 2} />
      <span className="sr-only">{label}</span>
    </span>
  )
}
