import { Field } from '#ui/Field.tsx'
import { Select } from '#ui/Select.tsx'

interface Props {
  value: string | null
  name: string | null
  onChange: (id: string | null) => void
}

/** Whose chats are shown, for who may not look people up: they choose under 'By user'. */
export function ChosenUser({ value, name, onChange }: Props) {
  return (
    <div className="max-sm:col-span-2">
      <Field label="Person" hint={value === null ? 'Choose somebody under “By user”.' : undefined}>
        {(control) => (
          <Select
            {...control}
            value={value ?? ''}
            disabled={value === null}
            onChange={({ target }) => onChange(target.value || null)}
          >
            <option value="">Everybody</option>
            {value !== null && <option value={value}>{name ?? 'One person'}</option>}
          </Select>
        )}
      </Field>
    </div>
  )
}
