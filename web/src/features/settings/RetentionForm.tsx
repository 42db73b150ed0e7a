import { type Retention, retentionForm } from '@lyceum/contract/conversation-settings'
import type { RetentionPreview } from '@lyceum/contract/retention'
import { useState } from 'react'
import { describeCleanup, formatDays, isShorter } from '#lib/retention-labels.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Field } from '#ui/Field.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { previewRetention, useSaveRetention } from './mutations.ts'
import { SettingsForm } from './SettingsForm.tsx'
import { useSettingsForm } from './use-settings-form.ts'

type Entries = { days: string }

function toEntries({ days }: Retention): Entries {
  return { days: days === null ? '' : String(days) }
}

interface Confirmation {
  days: number
  preview: RetentionPreview | null
}

/** The retention period of channels without their own. Shortening it needs a confirmation. */
export function RetentionForm({ settings }: { settings: Retention }) {
  const save = useSaveRetention()
  const [confirmation, setConfirmation] = useState<Confirmation | null>(null)
  const form = useSettingsForm<Entries, Retention>({
    name: 'retention',
    schema: retentionForm,
    entries: toEntries(settings),
    save: async (chosen) => toEntries((await save.mutateAsync(chosen)).retention),
  })

  async function saveDays(days: number): Promise<void> {
    await form.submitSettings({ days })
    setConfirmation(null)
  }
  const submit = form.handleSubmit(async (chosen) => {
    const { days } = chosen
    if (days !== null && isShorter(days, settings.days))
      setConfirmation({ days, preview: await previewRetention(days) })
    else await form.submitSettings(chosen)
  })
  return (
    <SettingsForm
      saveLabel="Save retention"
      isSaving={form.isSubmitting || save.isPending}
      canSave={form.canSave}
      isChanged={form.isChanged}
      onDiscard={form.discard}
      onSubmit={submit}
    >
      <Field
        label="Keep chats for (days)"
        hint="7 to 3650 days after the last message. Leave empty to keep chats forever."
        error={form.errors.days}
      >
        {(control) => (
          <TextInput
            {...control}
            {...form.field('days')}
            inputMode="numeric"
            autoComplete="off"
            placeholder="Forever"
            disabled={!form.canSave}
            className="sm:max-w-48"
          />
        )}
      </Field>
      <ConfirmDialog
        open={confirmation !== null}
        title={confirmation === null ? '' : `Keep chats for only ${formatDays(confirmation.days)}?`}
        confirmLabel="Shorten retention"
        busy={save.isPending}
        onConfirm={() => confirmation !== null && void saveDays(confirmation.days)}
        onCancel={() => setConfirmation(null)}
      >
        <p>{confirmation !== null && describeCleanup(confirmation.preview)}</p>
        <p className="mt-2">Channels with their own retention period are not affected.</p>
      </ConfirmDialog>
    </SettingsForm>
  )
}
