import type { GlobalSettings } from '@lyceum/contract/settings'
import { type TwoFactorEntries, type TwoFactorSettings, twoFactorForm } from '@lyceum/contract/two-factor'
import type { ReactNode } from 'react'
import type { SchemaForm } from '#lib/use-schema-form.ts'
import { Banner } from '#ui/Banner.tsx'
import { Card } from '#ui/Card.tsx'
import { useSaveTwoFactor } from './mutations.ts'
import { SettingsForm } from './SettingsForm.tsx'
import { useSettingsForm } from './use-settings-form.ts'

function toEntries({ twoFactorExpiryDays: days, twoFactorExpiryEnabled }: TwoFactorSettings) {
  return { twoFactorExpiryDays: String(days), twoFactorExpiryEnabled }
}

interface FieldsProps {
  form: SchemaForm<TwoFactorEntries, unknown>
  subject: string | null
  disabled: boolean
}

interface Props {
  settings: GlobalSettings
  /** Renders the two-factor fields. Passed in, because features do not import each other's components. */
  renderTwoFactorFields: (props: FieldsProps) => ReactNode
}

/** Two-factor settings for users without their own. */
export function GlobalTwoFactor({ settings, renderTwoFactorFields }: Props) {
  const save = useSaveTwoFactor()
  const form = useSettingsForm<TwoFactorEntries, TwoFactorSettings>({
    name: 'two-factor',
    schema: twoFactorForm,
    entries: toEntries(settings),
    save: async (body) => toEntries((await save.mutateAsync(body)).settings),
  })
  return (
    <Card>
      <section aria-labelledby="two-factor">
        <h2 id="two-factor" className="font-semibold text-lg">
          Two-factor authentication
        </h2>
        <p className="mt-1 text-muted text-sm">
          Applies to all users without their own settings. Change a user’s own settings in Manage Users.
        </p>
        {!settings.twoFactorExpiryEnabled && (
          <div className="mt-4">
            <Banner tone="warning">
              Two-factor authentication is off. Anyone who knows a user’s password can sign in, unless that
              user has their own settings.
            </Banner>
          </div>
        )}
        <div className="mt-3">
          <SettingsForm
            saveLabel="Save settings"
            isSaving={save.isPending}
            canSave={form.canSave}
            isChanged={form.isChanged}
            onDiscard={form.discard}
            onSubmit={form.handleSubmit(form.submitSettings)}
          >
            {renderTwoFactorFields({
              form,
              subject: settings.twoFactorExpiryEnabled ? 'Users' : null,
              disabled: !form.canSave,
            })}
          </SettingsForm>
        </div>
      </section>
    </Card>
  )
}
