import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'

/** Attributes that connect a control to its label, hint and error. */
interface FieldControl {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: true
}

interface Props {
  label: string
  hint?: ReactNode
  error?: string | undefined
  children: (control: FieldControl) => ReactNode
}

/** A control with its label, hint and error. */
export function Field({ label, hint, error, children }: Props) {
  const id = useId()
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  const described = [error && errorId, hint && hintId].filter(Boolean).join(' ')
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium text-sm">
        {label}
      </label>
      {children({
        id,
        ...(described === '' ? {} : { 'aria-describedby': described }),
        ...(error ? { 'aria-invalid': true } : {}),
      })}
      {error && (
        <p id={errorId} className="flex items-start gap-1.5 text-danger text-sm">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {/* A line for each problem, if there are several. */}
          <span className="wrap-anywhere min-w-0 space-y-1">
            {error.split('\n').map((line) => (
              <span key={line} className="block">
                {line}
              </span>
            ))}
          </span>
        </p>
      )}
      {hint && (
        <p id={hintId} className="text-muted text-xs">
          {hint}
        </p>
      )}
    </div>
  )
}
