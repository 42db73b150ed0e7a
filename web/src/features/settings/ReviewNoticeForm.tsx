import { noticeMaxLength, type ReviewNotice, reviewNotice } from '@lyceum/contract/conversation-settings'
import type * as z from 'zod/mini'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Field } from '#ui/Field.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { useSaveNotice } from './mutations.ts'
import { SettingsForm } from './SettingsForm.tsx'
import { useSettingsForm } from './use-settings-form.ts'

const schema = reviewNotice as z.ZodMiniType<ReviewNotice, ReviewNotice>

function Preview({ enabled, text }: ReviewNotice) {
  return (
    <figure className="rounded-card bg-surface-2 px-4 pt-3 pb-2.5">
      <figcaption className="sr-only">Preview</figcaption>
      <div
        aria-hidden="true"
        className="rounded-card border border-hairline bg-page px-3 py-2 text-muted text-sm"
      >
        Message
      </div>
      <p dir="auto" className="wrap-anywhere mt-2 min-h-4 text-center text-muted text-xs">
        {enabled ? text : 'No notice is shown.'}
      </p>
    </figure>
  )
}

/** The review notice that members see below the message field. */
export function ReviewNoticeForm({ settings }: { settings: ReviewNotice }) {
  const save = useSaveNotice()
  const form = useSettingsForm<ReviewNotice, ReviewNotice>({
    name: 'notice',
    schema,
    entries: settings,
    save: async (body) => (await save.mutateAsync(body)).reviewNotice,
  })
  return (
    <SettingsForm
      saveLabel="Save notice"
      isSaving={save.isPending}
      canSave={form.canSave}
      isChanged={form.isChanged}
      onDiscard={form.discard}
      onSubmit={form.handleSubmit(form.submitSettings)}
    >
      <Checkbox
        name="enabled"
        label="Show a notice"
        hint="Keep this on if law or company policy requires it."
        checked={form.values.enabled}
        disabled={!form.canSave}
        onChange={(event) => form.set('enabled', event.target.checked)}
      />
      <Field label="Notice" hint={`At most ${noticeMaxLength} characters`} error={form.errors.text}>
        {(control) => (
          <TextInput
            {...control}
            {...form.field('text')}
            dir="auto"
            maxLength={noticeMaxLength}
            autoComplete="off"
            disabled={!form.canSave}
          />
        )}
      </Field>
      <Preview {...form.values} />
    </SettingsForm>
  )
}
