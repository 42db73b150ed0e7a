import {
  type TwoFactorEntries,
  type TwoFactorSettings,
  twoFactorForm,
  type UserTwoFactor,
} from '@lyceum/contract/two-factor'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { globalSettingsQuery } from '#features/settings/queries.ts'
import { useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { banner } from '#ui/banner.ts'
import { RadioCard } from '#ui/RadioCard.tsx'
import { useSaveOverride } from './mutations.ts'
import { TwoFactorFields } from './TwoFactorFields.tsx'
import { entriesOf, twoFactorInWords } from './two-factor-labels.ts'

interface Props {
  userId: string
  settings: UserTwoFactor
}

/** The global settings or a person's own. */
export function UserTwoFactorForm({ userId, settings }: Props) {
  const { data: global } = useQuery({ ...globalSettingsQuery(), meta: { quiet: true } })
  const [isOwn, setIsOwn] = useState(settings.isOverride)
  const form = useSchemaForm<TwoFactorEntries, TwoFactorSettings>(twoFactorForm, entriesOf(settings))
  const save = useSaveOverride(userId)

  async function send(body: TwoFactorSettings | null): Promise<void> {
    const words = body === null ? texts.twoFactor.reset : texts.twoFactor.update
    try {
      const saved = await save.mutateAsync(body)
      setIsOwn(saved.isOverride)
      form.reset(entriesOf(saved))
      banner.success(words.done)
    } catch (error) {
      if (!form.showRefusal(error)) banner.error(messageOf(error, words.failed))
    }
  }

  return (
    <form noValidate onSubmit={form.handleSubmit((body) => send(isOwn ? body : null))}>
      <fieldset>
        <legend className="mb-1.5 font-medium text-sm">Which settings hold</legend>
        <div className="flex flex-col gap-3">
          <RadioCard
            name="source"
            label="Use global settings"
            text={global === undefined ? 'What is set for everybody.' : twoFactorInWords(global)}
            isChosen={!isOwn}
            onChoose={() => setIsOwn(false)}
          />
          <RadioCard
            name="source"
            label="Custom settings"
            text="For this person only, whatever is set for everybody."
            isChosen={isOwn}
            onChoose={() => setIsOwn(true)}
          />
        </div>
      </fieldset>
      {isOwn && (
        <div className="mt-4">
          <TwoFactorFields form={form} whom="this person" />
        </div>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        <Button type="submit" variant="primary" busy={save.isPending}>
          Save Settings
        </Button>
        {settings.isOverride && isOwn && (
          <Button disabled={save.isPending} onClick={() => void send(null)}>
            Reset to global
          </Button>
        )}
      </div>
    </form>
  )
}
