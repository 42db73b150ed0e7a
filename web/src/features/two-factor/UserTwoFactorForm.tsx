import {
  type TwoFactorEntries,
  type TwoFactorSettings,
  twoFactorForm,
  type UserTwoFactor,
} from '@lyceum/contract/two-factor'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { globalSettingsQuery } from '#features/settings/queries.ts'
import { useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { RadioCard } from '#ui/RadioCard.tsx'
import type { useSaveOverride } from './mutations.ts'
import { TwoFactorFields } from './TwoFactorFields.tsx'
import { describeTwoFactor, toEntries } from './two-factor-labels.ts'

interface Props {
  /** Connects the form with the button in the footer of the dialog. */
  id: string
  save: ReturnType<typeof useSaveOverride>
  settings: UserTwoFactor
  onChange: (isChanged: boolean) => void
}

/** Chooses between the global settings and the user's own. */
export function UserTwoFactorForm({ id, save, settings, onChange }: Props) {
  const { data: global } = useQuery({ ...globalSettingsQuery(), meta: { quiet: true } })
  const [isCustom, setIsCustom] = useState(settings.isOverride)
  const initial = toEntries(settings)
  const form = useSchemaForm<TwoFactorEntries, TwoFactorSettings>(twoFactorForm, initial)
  const areFieldsChanged =
    form.values.twoFactorExpiryDays !== initial.twoFactorExpiryDays ||
    form.values.twoFactorExpiryEnabled !== initial.twoFactorExpiryEnabled
  const isChanged = isCustom !== settings.isOverride || (isCustom && areFieldsChanged)
  useEffect(() => onChange(isChanged), [isChanged, onChange])

  async function send(body: TwoFactorSettings | null): Promise<void> {
    const outcome = body === null ? texts.twoFactor.reset : texts.twoFactor.update
    try {
      const saved = await save.mutateAsync(body)
      setIsCustom(saved.isOverride)
      form.reset(toEntries(saved))
      banner.success(outcome.done)
    } catch (error) {
      if (!form.showFieldErrors(error)) banner.error(messageOf(error, outcome.failed))
    }
  }

  return (
    <form id={id} noValidate onSubmit={form.handleSubmit((body) => send(isCustom ? body : null))}>
      <fieldset>
        <legend className="mb-1.5 font-medium text-sm">Settings in use</legend>
        <div className="flex flex-col gap-3">
          <RadioCard
            name="source"
            label="Use global settings"
            text={global === undefined ? 'The settings for all users.' : describeTwoFactor(global)}
            isChosen={!isCustom}
            onChoose={() => setIsCustom(false)}
          />
          <RadioCard
            name="source"
            label="Custom settings"
            text="Overrides the global settings for this user."
            isChosen={isCustom}
            onChoose={() => setIsCustom(true)}
          />
        </div>
      </fieldset>
      {isCustom && (
        <div className="mt-4">
          <TwoFactorFields form={form} subject="This user" />
        </div>
      )}
    </form>
  )
}
