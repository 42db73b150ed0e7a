import {
  type Channel,
  type ChannelInput,
  channelInput,
  type LanguageModel,
  languageModels,
} from '@lyceum/contract/channels'
import type { RetentionPreview } from '@lyceum/contract/retention'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type * as z from 'zod/mini'
import { messageOf } from '#api/api-error.ts'
import { assistantStatusQuery } from '#features/assistants/queries.ts'
import { daysInWords, goingInWords, isShorter } from '#lib/retention-labels.ts'
import { type SchemaForm, useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { Checkbox } from '#ui/Checkbox.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Field } from '#ui/Field.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { TextArea } from '#ui/TextArea.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { keptEverywhere, previewRetention, useSaveChannel } from '../mutations.ts'
import { AssistantField } from './AssistantField.tsx'
import { KindField } from './KindField.tsx'
import { ModelField } from './ModelField.tsx'
import { RetentionField } from './RetentionField.tsx'

/** The form always has every entry, also those that other callers may leave out. */
type ChannelEntries = ChannelInput & { allowProposals: boolean; retentionDays: number | null }

const channelForm = channelInput as z.ZodMiniType<ChannelEntries, ChannelEntries>

function modelOf(label: string | undefined): ChannelInput['llmModel'] {
  return languageModels.find((model) => model === label) ?? ''
}

/** What the form starts with: an empty channel with the first model, or what a channel is made of. */
function entriesOf(channel: Channel | null): ChannelEntries {
  return {
    name: channel?.name ?? '',
    description: channel?.description ?? '',
    systemPrompt: channel?.systemPrompt ?? '',
    llmModel: channel === null ? languageModels[0] : modelOf(channel.llmModel),
    strictDocumentsOnly: channel?.strictDocumentsOnly ?? false,
    allowProposals: channel?.allowProposals ?? false,
    useAssistant: channel?.useAssistant ?? false,
    openaiAssistantId: channel?.openaiAssistantId ?? '',
    retentionDays: channel?.retentionDays ?? null,
  }
}

function isChanged(now: ChannelEntries, start: ChannelEntries): boolean {
  return (Object.keys(start) as (keyof ChannelEntries)[]).some((name) => !Object.is(now[name], start[name]))
}

type Form = Pick<SchemaForm<ChannelEntries, unknown>, 'values' | 'errors' | 'field' | 'set'>

function CustomFields({ form, present }: { form: Form; present: string }) {
  return (
    <>
      <Field
        label="System prompt (optional)"
        hint="How the assistant should behave in this channel. Members do not see it."
        error={form.errors.systemPrompt}
      >
        {(control) => <TextArea {...control} {...form.field('systemPrompt')} dir="auto" rows={5} />}
      </Field>
      <ModelField
        present={present}
        value={form.values.llmModel}
        error={form.errors.llmModel}
        control={form.field('llmModel')}
      />
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
}

interface Question {
  input: ChannelEntries
  days: number
  preview: RetentionPreview | null
}

/** The time chats are kept from now on, where that is shorter than before; null where it is not. */
async function shorterTime(present: number | null, chosen: number | null): Promise<number | null> {
  if (chosen === present) return null
  const everywhere = await keptEverywhere()
  const next = chosen ?? everywhere
  return isShorter(next, present ?? everywhere) ? next : null
}

/** A new channel begins with a model that is offered. */
function useFirstOffered(isNew: boolean, chosen: string, begin: (model: LanguageModel) => void): void {
  const { data: status } = useQuery({ ...assistantStatusQuery(), enabled: isNew })
  const models = isNew ? status?.models : undefined
  const first = models?.find(({ offered }) => offered)?.label
  const isStale = models?.some(({ label, offered }) => label === chosen && !offered) ?? false
  useEffect(() => {
    if (isStale && first !== undefined) begin(first)
  })
}

interface Props {
  /** Null to create one. */
  channel: Channel | null
  onClose: () => void
}

/** Creates or changes a channel of either kind. */
export function ChannelDialog({ channel, onClose }: Props) {
  const [start, setStart] = useState(() => entriesOf(channel))
  const form = useSchemaForm(channelForm, start)
  const save = useSaveChannel(channel?._id ?? null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const words = channel === null ? texts.channels.create : texts.channels.update

  const [question, setQuestion] = useState<Question | null>(null)
  useFirstOffered(channel === null, form.values.llmModel, (llmModel) => {
    setStart({ ...start, llmModel })
    form.set('llmModel', llmModel)
  })

  async function keep(input: ChannelEntries): Promise<void> {
    setRefusal(null)
    try {
      await save.mutateAsync(input)
    } catch (error) {
      setQuestion(null)
      if (!form.showRefusal(error)) setRefusal(messageOf(error, words.failed))
      return
    }
    banner.success(words.done)
    onClose()
  }
  const submit = form.handleSubmit(async (input) => {
    if (channel === null) return keep(input)
    let shorter: number | null
    try {
      shorter = await shorterTime(start.retentionDays, input.retentionDays)
    } catch (error) {
      // Where it cannot be told whether chats would go, nothing is saved.
      setRefusal(messageOf(error, words.failed))
      return
    }
    if (shorter === null) return keep(input)
    setQuestion({ input, days: shorter, preview: await previewRetention(channel._id, shorter) })
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
        <CustomFields form={form} present={channel?.llmModel ?? ''} />
      )}
      <RetentionField
        value={form.values.retentionDays}
        error={form.errors.retentionDays}
        onChange={(days) => form.set('retentionDays', days)}
      />
      <ConfirmDialog
        open={question !== null}
        title={question === null ? '' : `Keep chats for ${daysInWords(question.days)} only?`}
        confirmLabel="Keep them shorter"
        busy={save.isPending}
        onConfirm={() => question !== null && void keep(question.input)}
        onCancel={() => setQuestion(null)}
      >
        {question !== null && goingInWords(question.preview)}
      </ConfirmDialog>
    </FormDialog>
  )
}
