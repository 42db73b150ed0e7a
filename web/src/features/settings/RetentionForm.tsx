import { type Retention, retentionForm } from '@lyceum/contract/conversations'
import type { RetentionPreview } from '@lyceum/contract/retention'
import { type FormEvent, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { useCan } from '#features/auth/use-can.ts'
import { daysInWords, goingInWords, isShorter } from '#lib/retention-labels.ts'
import { useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Field } from '#ui/Field.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { previewRetention, useSaveRetention } from './mutations.ts'
import { SaveBar } from './SaveBar.tsx'

type Entries = { days: string }

function entriesOf({ days }: Retention): Entries {
  return { days: days === null ? '' : String(days) }
}

interface Question {
  days: number
  preview: RetentionPreview | null
}

/** How long chats are kept where a channel says nothing else. Shortening it is asked about first. */
export function RetentionForm({ settings }: { settings: Retention }) {
  const maySave = useCan('canManageSettings')
  const form = useSchemaForm<Entries, Retention>(retentionForm, entriesOf(settings))
  const save = useSaveRetention()
  const [question, setQuestion] = useState<Question | null>(null)

  async function keep(chosen: Retention): Promise<void> {
    try {
      form.reset(entriesOf((await save.mutateAsync(chosen)).retention))
      banner.success(texts.settings.update.done)
    } catch (error) {
      if (!form.showRefusal(error)) banner.error(messageOf(error, texts.settings.update.failed))
    }
    setQuestion(null)
  }
  const send = form.handleSubmit(async ({ days }) => {
    if (days !== null && isShorter(days, settings.days))
      setQuestion({ days, preview: await previewRetention(days) })
    else await keep({ days })
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
      <Field
        label="Keep chats for … days"
        hint="From 7 to 3650 days after the last message. Empty keeps them for ever."
        error={form.errors.days}
      >
        {(control) => (
          <TextInput
            {...control}
            {...form.field('days')}
            inputMode="numeric"
            autoComplete="off"
            placeholder="For ever"
            disabled={!maySave}
            className="sm:max-w-48"
          />
        )}
      </Field>
      <SaveBar label="Save Retention" isBusy={form.isSubmitting || save.isPending} maySave={maySave} />
      <ConfirmDialog
        open={question !== null}
        title={question === null ? '' : `Keep chats for ${daysInWords(question.days)} only?`}
        confirmLabel="Keep them shorter"
        busy={save.isPending}
        onConfirm={() => question !== null && void keep({ days: question.days })}
        onCancel={() => setQuestion(null)}
      >
        <p>{question !== null && goingInWords(question.preview)}</p>
        <p className="mt-2">Channels with a time of their own are not concerned.</p>
      </ConfirmDialog>
    </form>
  )
}
