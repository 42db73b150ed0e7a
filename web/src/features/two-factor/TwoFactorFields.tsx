import {
  expiryDaysDefault,
  expiryDaysFrom,
  expiryDaysMax,
  expiryDaysMin,
  type TwoFactorEntries,
} from '@lyceum/contract/two-factor'
import { TriangleAlert } from 'lucide-react'
import type { SchemaForm } from '#lib/use-schema-form.ts'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Field } from '#ui/Field.tsx'
import { TextInput } from '#ui/TextInput.tsx'

interface Props {
  form: Pick<SchemaForm<TwoFactorEntries, unknown>, 'values' | 'errors' | 'field' | 'set'>
  /** Whom it is about, as in 'this person'; null where it stands beside that nobody is asked for a code. */
  whom: string | null
  disabled?: boolean
}

/** Whether a code is asked for, and for how long a browser is trusted after one. */
export function TwoFactorFields({ form, whom, disabled = false }: Props) {
  const { twoFactorExpiryEnabled: isEnabled, twoFactorExpiryDays: days } = form.values
  return (
    <div className="flex flex-col gap-3">
      <div>
        <Checkbox
          name="twoFactorExpiryEnabled"
          label="2FA enabled"
          hint="After the password a code is sent by e-mail."
          checked={isEnabled}
          disabled={disabled}
          onChange={(event) => form.set('twoFactorExpiryEnabled', event.target.checked)}
        />
        <div aria-live="polite">
          {!isEnabled && whom !== null && (
            <p className="flex items-start gap-2 text-sm text-warning">
              <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
              No code is asked of {whom}: the password alone is enough.
            </p>
          )}
        </div>
      </div>
      <Field
        label="2FA expiry (days)"
        hint={`For how long a browser is trusted after a code, ${expiryDaysMin} to ${expiryDaysMax}. Left empty it is ${expiryDaysDefault}.`}
        error={form.errors.twoFactorExpiryDays}
      >
        {(control) => (
          <TextInput
            {...control}
            {...form.field('twoFactorExpiryDays')}
            inputMode="numeric"
            autoComplete="off"
            disabled={disabled}
            // What will be saved is seen before it is.
            onBlur={() => form.set('twoFactorExpiryDays', String(expiryDaysFrom(days)))}
            className="max-w-32"
          />
        )}
      </Field>
    </div>
  )
}
