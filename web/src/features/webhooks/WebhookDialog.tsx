import {
  type Webhook,
  type WebhookEntries,
  type WebhookInput,
  webhookEvents,
  webhookInput,
} from '@lyceum/contract/webhooks'
import { useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { type SchemaForm, useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/admin.ts'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Field } from '#ui/Field.tsx'
import { FieldGroup } from '#ui/FieldGroup.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { eventLabels } from './webhook-labels.ts'

function toEntries(webhook: Webhook | null): WebhookEntries {
  return {
    name: webhook?.name ?? '',
    url: webhook?.url ?? '',
    events: webhook?.events ?? [],
    isEnabled: webhook?.isEnabled ?? true,
  }
}

function EventsField({ form }: { form: SchemaForm<WebhookEntries, WebhookInput> }) {
  const { events } = form.values
  return (
    <FieldGroup name="events" label="Events" error={form.errors.events}>
      {webhookEvents.map((event) => (
        <Checkbox
          key={event}
          label={eventLabels[event]}
          checked={events.includes(event)}
          onChange={({ target }) =>
            form.set(
              'events',
              webhookEvents.filter((other) => (other === event ? target.checked : events.includes(other))),
            )
          }
        />
      ))}
    </FieldGroup>
  )
}

interface Props {
  /** Null to add one. */
  webhook: Webhook | null
  /** Throws if it fails. */
  save: (input: WebhookInput) => Promise<void>
  onClose: () => void
  finalFocus: () => HTMLElement | boolean
}

/** Adds or changes a webhook. */
export function WebhookDialog({ webhook, save, onClose, finalFocus }: Props) {
  const isNew = webhook === null
  const initial = toEntries(webhook)
  const form = useSchemaForm<WebhookEntries, WebhookInput>(webhookInput, initial)
  const [refusal, setRefusal] = useState<string | null>(null)
  const { values, errors, field } = form
  const outcome = isNew ? texts.webhooks.add : texts.webhooks.change
  const submit = form.handleSubmit(async (input) => {
    setRefusal(null)
    try {
      await save(input)
    } catch (error) {
      if (!form.showFieldErrors(error)) setRefusal(messageOf(error, outcome.failed))
    }
  })
  return (
    <FormDialog
      title={isNew ? 'Add webhook' : `Edit ${webhook.name}`}
      isChanged={JSON.stringify(values) !== JSON.stringify(initial)}
      canSubmitUnchanged={isNew}
      unsavedText="The webhook has not been saved."
      submitLabel={isNew ? 'Add webhook' : 'Save webhook'}
      isSubmitting={form.isSubmitting}
      refusal={refusal}
      onSubmit={submit}
      onClose={onClose}
      finalFocus={finalFocus}
    >
      <Field label="Name" error={errors.name}>
        {(control) => <TextInput {...control} {...field('name')} dir="auto" autoComplete="off" />}
      </Field>
      <Field label="Address" error={errors.url}>
        {(control) => (
          <TextInput
            {...control}
            {...field('url')}
            inputMode="url"
            placeholder="https://desk.example.org/hooks/lyceum"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <EventsField form={form} />
      <Checkbox
        label="On"
        hint="A webhook is switched off when its server accepts no delivery for three days."
        checked={values.isEnabled}
        onChange={({ target }) => form.set('isEnabled', target.checked)}
      />
    </FormDialog>
  )
}
