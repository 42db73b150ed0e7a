import type { ComponentProps } from 'react'
import { Checkbox } from '#ui/Checkbox.tsx'
import { SettingField } from './SettingField.tsx'

interface Props extends Pick<ComponentProps<typeof SettingField>, 'error' | 'variable' | 'field'> {
  hasApiKey: boolean
  removesKey: boolean
  onRemovesKey: (removesKey: boolean) => void
  isFixed: boolean
}

/** The API key of a server, which may be stored already. */
export function KeyField({ hasApiKey, removesKey, onRemovesKey, isFixed, error, variable, field }: Props) {
  return (
    <div>
      <SettingField
        label="API key"
        hint={
          // The error asks for the key again, because the address has changed.
          hasApiKey && error === undefined
            ? 'A key is stored. Leave this empty to keep it.'
            : 'Often not needed for local servers.'
        }
        secret="API key"
        placeholder={hasApiKey ? 'Unchanged' : ''}
        error={error}
        variable={variable}
        disabled={isFixed || removesKey}
        field={field}
      />
      {hasApiKey && !isFixed && (
        <Checkbox
          label="Use no key"
          checked={removesKey}
          onChange={(event) => onRemovesKey(event.target.checked)}
        />
      )}
    </div>
  )
}

/** Leaves the key out if the stored one stays. */
export function withKeyChange<Values extends { apiKey: string; removesKey: boolean }>({
  apiKey,
  removesKey,
  ...rest
}: Values): Omit<Values, 'apiKey' | 'removesKey'> & { apiKey?: string } {
  if (removesKey) return { ...rest, apiKey: '' }
  return apiKey === '' ? rest : { ...rest, apiKey }
}
