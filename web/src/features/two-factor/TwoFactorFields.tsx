import {
  expiryDaysDefault,
  expiryDaysMax,
  expiryDaysMin,
  parseExpiryDays,
  type TwoFactorEntries,
} from '@lyceum/contract/two-factor'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { mailDeliveryQuery } from '#features/auth/queries.ts'
import type { SchemaForm } from '#lib/use-schema-form.ts'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Field } from '#ui/Field.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { noMailServerText } from './two-factor-labels.ts'

interface Props {
  form: Pick<SchemaForm<TwoFactorEntries, unknown>, 'values' | 'errors' | 'field' | 'set'>
  /** The subject of the warning shown while 2FA is off, such as 'This user'. Null hides the warning. */
  subject: string | null
  disabled?: boolean
}

function Warning({ children }: { children: ReactNode }) {
  return (
    <p className="flex items-start gap-2 text-sm text-warning">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  )
}

export function TwoFactorFields({ form, subject, disabled = false }: Props) {
  const { twoFactorExpiryEnabled: isEnabled, twoFactorExpiryDays: days } = form.values
  const canSendEmail = useQuery(mailDeliveryQuery()).data
  return (
    <div className="flex flex-col gap-3">
      <div>
        <Checkbox
          name="twoFactorExpiryEnabled"
          label="2FA enabled"
          hint="A code is emailed after the password is entered."
          checked={isEnabled}
          disabled={disabled}
          onChange={(event) => form.set('twoFactorExpiryEnabled', event.target.checked)}
        />
        <div aria-live="polite">
          {!isEnabled && subject !== null && <Warning>{subject} can sign in with just a password.</Warning>}
        </div>
        {isEnabled && canSendEmail === false && <Warning>{noMailServerText}</Warning>}
      </div>
      <Field
        label="2FA expiry (days)"
        hint={`How long a browser stays trusted after a code is entered (${expiryDaysMin}–${expiryDaysMax} days, default ${expiryDaysDefault}).`}
        error={form.errors.twoFactorExpiryDays}
      >
        {(control) => (
          <TextInput
            {...control}
            {...form.field('twoFactorExpiryDays')}
            inputMode="numeric"
            autoComplete="off"
            disabled={disabled || !isEnabled}
            onBlur={({ relatedTarget }) => {
              // Show the number that will be saved, since invalid entries become the default. While the form is being
              // saved, that could undo the change and so make the button unavailable before the click arrives.
              if (relatedTarget instanceof HTMLButtonElement && relatedTarget.type === 'submit') return
              form.set('twoFactorExpiryDays', String(parseExpiryDays(days)))
            }}
            className="max-w-32"
          />
        )}
      </Field>
    </div>
  )
}
