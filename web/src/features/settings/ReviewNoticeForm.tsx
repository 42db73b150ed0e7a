import { noticeMaxLength, type ReviewNotice, reviewNotice } from '@lyceum/contract/conversations'
import type { FormEvent } from 'react'
import type * as z from 'zod/mini'
import { messageOf } from '#api/api-error.ts'
import { useCan } from '#features/auth/use-can.ts'
import { useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Field } from '#ui/Field.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { useSaveNotice } from './mutations.ts'
import { SaveBar } from './SaveBar.tsx'

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

/** What people read under the field they write in. */
export function ReviewNoticeForm({ settings }: { settings: ReviewNotice }) {
  const maySave = useCan('canManageSettings')
  const form = useSchemaForm<ReviewNotice, ReviewNotice>(schema, settings)
  const save = useSaveNotice()
  const send = form.handleSubmit(async (body) => {
    try {
      form.reset((await save.mutateAsync(body)).reviewNotice)
      banner.success(texts.settings.update.done)
    } catch (error) {
      if (!form.showRefusal(error)) banner.error(messageOf(error, texts.settings.update.failed))
    }
  })
  function submit(event: FormEvent<HTMLFormElement>): void {
    if (maySave) {
      send(event)
      return
    }
    event.preventDefault()
    banner.error(texts.permissions.manageSettings)
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Checkbox
        name="enabled"
        label="Show a notice"
        hint="Where the law or your house asks people to be told that their chats may be read, leave it on."
        checked={form.values.enabled}
        disabled={!maySave}
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
            disabled={!maySave}
          />
        )}
      </Field>
      <Preview {...form.values} />
      <SaveBar label="Save Notice" isBusy={save.isPending} maySave={maySave} />
    </form>
  )
}
