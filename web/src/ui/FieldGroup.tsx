import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'

interface Props {
  /** The field of the form's schema. Its error moves the focus here. */
  name: string
  label: string
  error: string | undefined
  children: ReactNode
}

/** Several controls for one field, with a label and an error. */
export function FieldGroup({ name, label, error, children }: Props) {
  const errorId = useId()
  return (
    <fieldset
      name={name}
      tabIndex={-1}
      aria-describedby={error === undefined ? undefined : errorId}
      className="min-w-0 rounded-control"
    >
      <legend className="mb-1 font-medium text-sm">{label}</legend>
      {children}
      {error !== undefined && (
        <p id={errorId} className="mt-1.5 flex items-start gap-1.5 text-danger text-sm">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {error}
        </p>
      )}
    </fieldset>
  )
}
