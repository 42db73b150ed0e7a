import { Check, CheckCheck, TriangleAlert } from 'lucide-react'
import { cx } from '#ui/cx.ts'

export type Delivery = 'sent' | 'delivered' | 'read' | 'failed'

const ticks = {
  sent: { icon: Check, words: 'Sent', colour: '' },
  delivered: { icon: CheckCheck, words: 'Delivered', colour: '' },
  read: { icon: CheckCheck, words: 'Read', colour: 'text-link' },
  failed: { icon: TriangleAlert, words: 'Not delivered', colour: 'text-danger' },
}

/** How far a message came. The two double ticks differ in colour, so the word is there for everybody on hover. */
export function DeliveryTick({ delivery }: { delivery: Delivery }) {
  const { icon: Icon, words, colour } = ticks[delivery]
  return (
    <span title={words} className={cx('inline-flex items-center', colour)}>
      <Icon aria-hidden="true" className="size-4" strokeWidth={delivery === 'read' ? 2.5 : 2} />
      <span className="sr-only">{words}</span>
    </span>
  )
}
