import type { Channel, ChannelInput } from '@lyceum/contract/channels'
import { useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { type SchemaForm, useSchemaForm } from '#lib/use-schema-form.ts'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Field } from '#ui/Field.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { notice } from '#ui/notice.ts'
import { TextArea } from '#ui/TextArea.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { messages } from '../../messages/admin.ts'
import { AssistantField } from './AssistantField.tsx'
import { channelForm, entriesOf, isChanged } from './channel-form.ts'
import { KindField } from './KindField.tsx'
import { ModelField } from './ModelField.tsx'
import { useSaveChannel } from './mutations.ts'

type Form = Pick<SchemaForm<ChannelInput, unknown>, 'values' | 'errors' | 'field' | 'set'>

const CustomFields = ({ form }: { form: Form }) => (
  <>
    <Field
      label="System prompt (optional)"
      hint="How the assistant should behave in this channel. Members do not see it."
      error={form.errors.systemPrompt}
    >
      {(control) => <TextArea {...control} {...form.field('systemPrompt')} dir="auto" rows={5} />}
    </Field>
    <ModelField value={form.values.llmModel} error={form.errors.llmModel} control={form.field('llmModel')} />
    <Checkbox
      name="strictDocumentsOnly"
      label="Strict documents only"
      hint="The assistant answers only from the channel’s approved documents and refuses everything else."
      checked={form.values.strictDocumentsOnly}
      onChange={(event) => form.set('strictDocumentsOnly', event.target.checked)}
    />
    <Checkbox
      name="allowProposals"
      label="Members may propose documents"
      hint="What they send in waits in Review Documents; the assistant uses it only once it is approved."
      checked={form.values.allowProposals}
      onChange={(event) => form.set('allowProposals', event.target.checked)}
    />
  </>
)

interface Props {
  /** Null to create one. */
  channel: Channel | null
  onClose: () => void
}

/** Creates or changes a channel of either kind. */
export const ChannelDialog = ({ channel, onClose }: Props) => {
  const [start] = useState(() => entriesOf(channel))
  const form = useSchemaForm(channelForm, start)
  const save = useSaveChannel(channel?._id ?? null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const words = channel === null ? messages.channels.create : messages.channels.update

  const submit = form.handleSubmit(async (input) => {
    setRefusal(null)
    try {
      await save.mutateAsync(input)
    } catch (error) {
      if (!form.showRefusal(error)) setRefusal(messageOf(error, words.failed))
      return
    }
    notice.success(words.done)
    onClose()
  })

  return (
    <FormDialog
      title={channel === null ? 'New Channel' : 'Edit Channel'}
      isChanged={isChanged(form.values, start)}
      unsaved="It has not been saved."
      submitLabel={channel === null ? 'Create Channel' : 'Save Changes'}
      isSubmitting={form.isSubmitting}
      refusal={refusal}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Name" error={form.errors.name}>
        {(control) => <TextInput {...control} {...form.field('name')} dir="auto" autoComplete="off" />}
      </Field>
      <Field label="Description" error={form.errors.description}>
        {(control) => <TextArea {...control} {...form.field('description')} dir="auto" rows={2} />}
      </Field>
      <KindField
        useAssistant={form.values.useAssistant}
        onChange={(useAssistant) => form.set('useAssistant', useAssistant)}
      />
      {form.values.useAssistant ? (
        <AssistantField
          value={form.values.openaiAssistantId}
          error={form.errors.openaiAssistantId}
          onChange={(id) => form.set('openaiAssistantId', id)}
        />
      ) : (
        <CustomFields form={form} />
      )}
    </FormDialog>
  )
}
