import { type ComponentProps, type ReactNode, useId } from 'react'

interface Props extends Omit<ComponentProps<'input'>, 'type' | 'children'> {
  label: ReactNode
  hint?: ReactNode
}

/** A native checkbox whose whole row is clickable. */
export function Checkbox({ label, hint, ...rest }: Props) {
  const hintId = useId()
  const describedBy = [hint && hintId, rest['aria-describedby']].filter(Boolean)
  return (
    <label className="[&:has([aria-disabled=true])_[data-label]]:opacity-55 flex min-h-10 items-start gap-3 py-2.5 pointer-coarse:min-h-11 pointer-coarse:py-3 has-disabled:opacity-55 has-aria-disabled:cursor-not-allowed">
      <input
        {...rest}
        type="checkbox"
        aria-describedby={describedBy.length > 0 ? describedBy.join(' ') : undefined}
        className="mt-px size-4.5 shrink-0 rounded-sm accent-primary-500 aria-disabled:cursor-not-allowed aria-disabled:opacity-55"
      />
      <span className="flex flex-col gap-0.5">
        {/* The hint says why it is disabled. */}
        <span data-label className="text-sm">
          {label}
        </span>
        {hint && (
          <span id={hintId} className="text-muted text-xs">
            {hint}
          </span>
        )}
      </span>
    </label>
  )
}
