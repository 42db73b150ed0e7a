import type { Preset } from '@lyceum/contract/assistants'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { presetsQuery } from '#features/assistants/queries.ts'
import { useDebounced } from '#lib/use-debounced.ts'
import { Field } from '#ui/Field.tsx'
import { Select } from '#ui/Select.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { AssistantNote } from '../AssistantNote.tsx'

interface Props {
  value: string
  error: string | undefined
  onChange: (assistantId: string) => void
}

interface FieldProps extends Props {
  /** Focuses the field when the form opens. */
  hasInitialFocus?: boolean
}

/** Validation errors refer to the field by this name. */
const fieldName = 'openaiAssistantId'
/** Marks the option for another id. No assistant can have this id. */
const otherIdValue = '?'
/** A typed id is looked up after a pause of this length. */
const typingPauseMs = 400

interface AssistantSelectProps extends Props {
  presets: readonly Preset[]
  isOtherId: boolean
  onOtherIdChange: (isOtherId: boolean) => void
}

function AssistantSelect({
  presets,
  value,
  error,
  isOtherId,
  onOtherIdChange,
  onChange,
}: AssistantSelectProps) {
  return (
    <Field label="Assistant" error={isOtherId ? undefined : error}>
      {(control) => (
        <Select
          {...control}
          name={isOtherId ? undefined : fieldName}
          value={isOtherId ? otherIdValue : value}
          onChange={({ target }) => {
            onOtherIdChange(target.value === otherIdValue)
            onChange(target.value === otherIdValue ? '' : target.value)
          }}
        >
          {!isOtherId && value === '' && <option value="">Choose an assistant</option>}
          {presets.map((preset) => (
            <option key={preset._id} value={preset.assistantId}>
              {`${preset.name} (${preset.assistantId})`}
            </option>
          ))}
          <option value={otherIdValue}>Another ID…</option>
        </Select>
      )}
    </Field>
  )
}

/** Selects a ready-made assistant of this installation, or accepts the id of an external one. */
export function AssistantField({ value, error, hasInitialFocus = false, onChange }: FieldProps) {
  const fields = useRef<HTMLDivElement>(null)
  // If the list fails to load, the user can still type an id.
  const { data: presets = [], isPending } = useQuery({ ...presetsQuery(), meta: { quiet: true } })
  const [wantsOtherId, setWantsOtherId] = useState(false)
  const id = value.trim()
  const typedId = useDebounced(id, typingPauseMs)
  const isPreset = presets.some(({ assistantId }) => assistantId === value)
  const isOtherId = wantsOtherId || (value !== '' && !isPreset)
  const hasPresets = presets.length > 0
  const isFocused = hasInitialFocus && !isPending
  useEffect(() => {
    if (isFocused) fields.current?.querySelector<HTMLElement>(`[name="${fieldName}"]`)?.focus()
  }, [isFocused])
  // The field for another id appears below the selection, in a small window out of view.
  useEffect(() => {
    if (wantsOtherId) fields.current?.scrollIntoView({ block: 'nearest' })
  }, [wantsOtherId])
  if (isPending) {
    return (
      <Field label="Assistant">
        {(control) => (
          <Select {...control} disabled>
            <option>Loading…</option>
          </Select>
        )}
      </Field>
    )
  }
  return (
    <div ref={fields} className="flex flex-col gap-4">
      {hasPresets && (
        <AssistantSelect
          presets={presets}
          value={value}
          error={error}
          isOtherId={isOtherId}
          onOtherIdChange={setWantsOtherId}
          onChange={onChange}
        />
      )}
      {(isOtherId || !hasPresets) && (
        <Field
          label="Assistant ID"
          hint="The assistant’s ID at its provider, such as asst_abc123."
          error={error}
        >
          {(control) => (
            <TextInput
              {...control}
              name={fieldName}
              value={value}
              onChange={({ target }) => {
                setWantsOtherId(true)
                onChange(target.value)
              }}
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </Field>
      )}
      <AssistantNote assistantId={isPreset || typedId === id ? id : ''} />
    </div>
  )
}
