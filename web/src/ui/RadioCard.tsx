import { type ReactNode, useId } from 'react'
import { cx } from './cx.ts'

interface Props {
  /** Shared by all options of a group. */
  name: string
  label: string
  icon?: ReactNode
  text: ReactNode
  isChosen: boolean
  onChoose: () => void
}

/** A radio button with a description. */
export function RadioCard({ name, label, icon, text, isChosen, onChoose }: Props) {
  const id = useId()
  return (
    <label
      className={cx(
        'flex cursor-pointer gap-3 rounded-card border p-3 transition-colors',
        'has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2',
        isChosen ? 'border-link bg-accent-soft' : 'border-control/50 hover:border-control',
      )}
    >
      <input
        type="radio"
        name={name}
        aria-labelledby={id}
        aria-describedby={`${id}-text`}
        checked={isChosen}
        onChange={onChoose}
        className="mt-0.5 size-4 shrink-0 accent-primary-500 outline-none"
      />
      <span className="min-w-0">
        <span className="flex items-center gap-1.5 font-medium text-sm">
          <span id={id}>{label}</span>
          {icon}
        </span>
        <span id={`${id}-text`} className="mt-0.5 block text-muted text-xs">
          {text}
        </span>
      </span>
    </label>
  )
}
