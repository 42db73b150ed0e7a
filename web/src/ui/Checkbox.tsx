import { type ComponentProps, type ReactNode, useId } from 'react'

interface Props extends Omit<ComponentProps<'input'>, 'type' | 'children'> {
  label: ReactNode
  hint?: ReactNode
}

/** A native checkbox whose whole row is clickable. */
export function Checkbox({ label, hint, ...rest }: Props) {
  const hintId = useId()
  return (
    <label className="flex min-h-10 items-start gap-3 py-2.5 pointer-coarse:min-h-11 pointer-coarse:py-3 has-disabled:opacity-55 has-aria-disabled:opacity-55">
      <input
        {...rest}
        type="checkbox"
        aria-describedby={hint ? hintId : rest['aria-describedby']}
        className="mt-px size-4.5 shrink-0 rounded-sm accent-primary-500"
      />
      <span className="flex flex-col gap-0.5">
        <span className="text-sm">{label}</span>
        {hint && (
          <span id={hintId} className="text-muted text-xs">
            {hint}
          </span>
        )}
      </span>
    </label>
  )
}
