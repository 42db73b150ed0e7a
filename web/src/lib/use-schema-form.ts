import { type ChangeEvent, type FormEvent, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { ApiError } from '#api/api-error.ts'

type Values = Record<string, unknown>
type Name<Input> = keyof Input & string
type Errors<Input> = Partial<Record<Name<Input>, string>>
type TypedElement = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

export interface SchemaForm<Input extends Values, Output> {
  values: Input
  /** One message per invalid field. */
  errors: Errors<Input>
  isSubmitting: boolean
  /** Props for a text field or a select. */
  field: (name: Name<Input>) => {
    name: string
    value: string
    onChange: (event: ChangeEvent<TypedElement>) => void
  }
  set: <N extends Name<Input>>(name: N, value: Input[N]) => void
  /** Passes the parsed values to `act`, or shows the errors and focuses the first invalid field. */
  handleSubmit: (act: (values: Output) => Promise<void>) => (event: FormEvent<HTMLFormElement>) => void
  showErrors: (errors: Errors<Input>) => void
  /** Shows the server's messages under their fields. Returns false if none of them belongs to a field of the form. */
  showFieldErrors: (error: unknown) => boolean
  reset: (values: Input) => void
}

function focusFirst(form: HTMLFormElement | null, names: readonly string[]): void {
  const controls = [...(form?.elements ?? [])].filter((control) => control instanceof HTMLElement)
  controls.find((control) => names.includes(control.getAttribute('name') ?? ''))?.focus()
}

/**
 * A form validated by a schema of the contract: first on submit, then on every change. Used by all forms instead of a
 * library, which would be twenty times larger.
 */
export function useSchemaForm<Input extends Values, Output>(
  schema: z.ZodMiniType<Output, Input>,
  initial: Input,
): SchemaForm<Input, Output> {
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<Errors<Input>>({})
  const [isSubmitting, setIsSubmitting] = useState(false)
  const wasSubmitted = useRef(false)
  const isBusy = useRef(false)
  const formElement = useRef<HTMLFormElement>(null)

  function collectErrors(entries: Input): Errors<Input> {
    const parsed = schema.safeParse(entries)
    const found: Errors<Input> = {}
    for (const { path, message } of parsed.error?.issues ?? []) {
      const name = String(path[0]) as Name<Input>
      found[name] ??= message
    }
    return found
  }

  const set: SchemaForm<Input, Output>['set'] = (name, value) => {
    const next = { ...values, [name]: value }
    setValues(next)
    if (wasSubmitted.current) setErrors(collectErrors(next))
  }

  function showErrors(shown: Errors<Input>): void {
    setErrors(shown)
    focusFirst(formElement.current, Object.keys(shown))
  }

  async function submit(act: (values: Output) => Promise<void>): Promise<void> {
    const parsed = schema.safeParse(values)
    wasSubmitted.current = true
    if (!parsed.success) {
      showErrors(collectErrors(values))
      return
    }
    setErrors({})
    isBusy.current = true
    setIsSubmitting(true)
    try {
      await act(parsed.data)
    } finally {
      isBusy.current = false
      setIsSubmitting(false)
    }
  }

  return {
    values,
    errors,
    isSubmitting,
    set,
    showErrors,
    field: (name) => ({
      name,
      value: String(values[name] ?? ''),
      onChange: (event) => set(name, event.target.value as Input[typeof name]),
    }),
    handleSubmit: (act) => (event) => {
      event.preventDefault()
      formElement.current = event.currentTarget
      if (!isBusy.current) void submit(act)
    },
    showFieldErrors: (error) => {
      if (!(error instanceof ApiError)) return false
      const fieldErrors = Object.entries(error.fields).filter(([name]) => name in values)
      if (fieldErrors.length > 0) showErrors(Object.fromEntries(fieldErrors) as Errors<Input>)
      return fieldErrors.length > 0
    },
    reset: (next) => {
      wasSubmitted.current = false
      setValues(next)
      setErrors({})
    },
  }
}
