import { Field } from '#ui/Field.tsx'
import { Select } from '#ui/Select.tsx'

interface Props {
  value: string | null
  name: string | null
  onChange: (id: string | null) => void
}

/** Shows the user filter to administrators who cannot search for users. They choose a user on the "By user" tab. */
export function SelectedUserField({ value, name, onChange }: Props) {
  return (
    <div className="max-sm:col-span-2">
      <Field label="User" hint={value === null ? 'Choose a user under “By user”.' : undefined}>
        {(control) => (
          <Select
            {...control}
            value={value ?? ''}
            disabled={value === null}
            onChange={({ target }) => onChange(target.value || null)}
          >
            <option value="">All users</option>
            {value !== null && <option value={value}>{name ?? 'Selected user'}</option>}
          </Select>
        )}
      </Field>
    </div>
  )
}
