import {
  type Channel,
  type ChannelInput,
  channelInput,
  type LanguageModel,
  languageModels,
} from '@lyceum/contract/channels'
import type { RetentionPreview } from '@lyceum/contract/retention'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { messageOf } from '#api/api-error.ts'
import { assistantStatusQuery } from '#features/assistants/queries.ts'
import { describeCleanup, formatDays, isShorter } from '#lib/retention-labels.ts'
import { type SchemaForm, useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/admin.ts'
import { type BannerAction, banner, findBannerAction } from '#ui/banner.ts'
import { Checkbox } from '#ui/Checkbox.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Field } from '#ui/Field.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { TextArea } from '#ui/TextArea.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { fetchGlobalRetentionDays, previewRetention, useSaveChannel } from '../mutations.ts'
import { AssistantField } from './AssistantField.tsx'
import { ChannelTypeField } from './ChannelTypeField.tsx'
import { CitationCheckField } from './CitationCheckField.tsx'
import { ModelField } from './ModelField.tsx'
import { RetentionField } from './RetentionField.tsx'
import { fillStarters, StarterFields } from './StarterFields.tsx'
import { useResultOfSaving } from './use-result-of-saving.ts'

/** The form always has every field, including those that are optional on the wire. */
type ChannelFormValues = ChannelInput & {
  checkCitations: boolean
  allowProposals: boolean
  allowAttachments: boolean
  starterQuestions: string[]
  retentionDays: number | null
}

const channelForm = channelInput as z.ZodMiniType<ChannelFormValues, ChannelFormValues>

function findModel(label: string | undefined): ChannelInput['llmModel'] {
  return languageModels.find((model) => model === label) ?? ''
}

const nameMaxLength = 500

/** A channel with a ready-made assistant has no model of its own, in case it becomes a custom one. */
function hadModel(channel: Channel | null): channel is Channel {
  return channel !== null && channel.useAssistant !== true
}

/** The values of the channel to edit or copy. Otherwise all fields are empty, with the first model. */
function createInitialValues(channel: Channel | null, isCopy: boolean): ChannelFormValues {
  return {
    name: isCopy ? `Copy of ${channel?.name}`.slice(0, nameMaxLength) : (channel?.name ?? ''),
    description: channel?.description ?? '',
    systemPrompt: channel?.systemPrompt ?? '',
    llmModel: hadModel(channel) ? findModel(channel.llmModel) : languageModels[0],
    strictDocumentsOnly: channel?.strictDocumentsOnly ?? false,
    checkCitations: channel?.checkCitations ?? false,
    allowProposals: channel?.allowProposals ?? false,
    allowAttachments: channel?.allowAttachments ?? true,
    useAssistant: channel?.useAssistant ?? false,
    openaiAssistantId: channel?.openaiAssistantId ?? '',
    starterQuestions: fillStarters(channel?.starterQuestions),
    retentionDays: channel?.retentionDays ?? null,
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return Array.isArray(one) ? JSON.stringify(one) === JSON.stringify(other) : Object.is(one, other)
}

function isChanged(current: ChannelFormValues, initial: ChannelFormValues): boolean {
  return (Object.keys(initial) as (keyof ChannelFormValues)[]).some(
    (name) => !isSame(current[name], initial[name]),
  )
}

type Form = Pick<SchemaForm<ChannelFormValues, unknown>, 'values' | 'errors' | 'field' | 'set'>

function CustomFields({ form, channel }: { form: Form; channel: Channel | null }) {
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
        currentModel={channel?.llmModel ?? ''}
        value={form.values.llmModel}
        error={form.errors.llmModel}
        control={form.field('llmModel')}
      />
      <Checkbox
        name="strictDocumentsOnly"
        label="Strict documents only"
        hint="The assistant answers only from the channel’s approved documents and from attached files, and refuses everything else."
        checked={form.values.strictDocumentsOnly}
        onChange={(event) => form.set('strictDocumentsOnly', event.target.checked)}
      />
      <CitationCheckField
        channelId={channel?._id ?? null}
        checked={form.values.checkCitations}
        onChange={(isChecked) => form.set('checkCitations', isChecked)}
      />
      <Checkbox
        name="allowProposals"
        label="Members may propose documents"
        hint="Proposals appear in Review Documents and need approval before the assistant uses them."
        checked={form.values.allowProposals}
        onChange={(event) => form.set('allowProposals', event.target.checked)}
      />
      <Checkbox
        name="allowAttachments"
        label="Members may attach files to questions"
        hint="Replies use and cite them in that chat only. They are not reviewed, and are deleted with the chat."
        checked={form.values.allowAttachments}
        onChange={(event) => form.set('allowAttachments', event.target.checked)}
      />
    </>
  )
}

interface RetentionConfirmation {
  input: ChannelFormValues
  days: number
  preview: RetentionPreview | null
}

/** The new retention period in days if it is shorter than the current one; otherwise null. */
async function findShorterRetention(current: number | null, chosen: number | null): Promise<number | null> {
  if (chosen === current) return null
  const globalDays = await fetchGlobalRetentionDays()
  const next = chosen ?? globalDays
  return isShorter(next, current ?? globalDays) ? next : null
}

/** Replaces the model of a channel that had none before by the first one that is offered, unless it is offered itself. */
function useFirstOfferedModel(
  hadModel: boolean,
  chosen: string,
  setModel: (model: LanguageModel) => void,
): void {
  const { data: status } = useQuery({ ...assistantStatusQuery(), enabled: !hadModel })
  const models = hadModel ? undefined : status?.models
  const first = models?.find(({ offered }) => offered)?.label
  const isNotOffered = models?.some(({ label, offered }) => label === chosen && !offered) ?? false
  useEffect(() => {
    if (isNotOffered && first !== undefined) setModel(first)
  })
}

/** The button of the result, if it has one, appears after the dialog has closed. */
function focusNextStep(): void {
  setTimeout(() => findBannerAction()?.focus(), 0)
}

interface Props {
  /** Null creates a new channel. */
  channel: Channel | null
  /** The channel whose settings a new channel starts with. */
  original?: Channel
  /** Opens the form at the field of the ready-made assistant. */
  startsAtAssistant?: boolean
  /** Offered and focused after the channel was saved. */
  nextStep?: BannerAction | undefined
  /** Where to move the focus on close, if no button opened the form. */
  findFocusTarget?: (() => HTMLElement | null) | undefined
  onClose: () => void
}

export function ChannelDialog(props: Props) {
  const { channel, original, startsAtAssistant = false, nextStep, findFocusTarget, onClose } = props
  const [initialValues, setInitialValues] = useState(() =>
    createInitialValues(channel ?? original ?? null, original !== undefined),
  )
  const form = useSchemaForm(channelForm, initialValues)
  const save = useSaveChannel(channel?._id ?? null)
  const isSaved = useRef(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const outcome = channel === null ? texts.channels.create : texts.channels.update

  const findResult = useResultOfSaving(nextStep)
  const [confirmation, setConfirmation] = useState<RetentionConfirmation | null>(null)
  useFirstOfferedModel(hadModel(channel ?? original ?? null), form.values.llmModel, (llmModel) => {
    setInitialValues({ ...initialValues, llmModel })
    form.set('llmModel', llmModel)
  })

  async function saveChannel(input: ChannelFormValues): Promise<void> {
    setRefusal(null)
    let saved: Channel
    try {
      saved = await save.mutateAsync(input)
    } catch (error) {
      setConfirmation(null)
      if (!form.showFieldErrors(error)) setRefusal(messageOf(error, outcome.failed))
      return
    }
    banner.success(outcome.done, findResult(saved))
    isSaved.current = true
    onClose()
  }
  const submit = form.handleSubmit(async (input) => {
    if (channel === null) return saveChannel(input)
    let shorter: number | null
    try {
      shorter = await findShorterRetention(initialValues.retentionDays, input.retentionDays)
    } catch (error) {
      // Save nothing if we cannot tell whether chats would be deleted.
      setRefusal(messageOf(error, outcome.failed))
      return
    }
    if (shorter === null) return saveChannel(input)
    setConfirmation({ input, days: shorter, preview: await previewRetention(channel._id, shorter) })
  })

  return (
    <FormDialog
      title={channel !== null ? 'Edit Channel' : original ? 'Duplicate Channel' : 'New Channel'}
      isChanged={isChanged(form.values, initialValues)}
      canSubmitUnchanged={channel === null}
      unsavedText="The channel has not been saved."
      submitLabel={channel === null ? 'Create Channel' : 'Save Changes'}
      isSubmitting={form.isSubmitting}
      refusal={refusal}
      onSubmit={submit}
      onClose={onClose}
      finalFocus={() => {
        if (isSaved.current) focusNextStep()
        return findFocusTarget?.() ?? true
      }}
    >
      {original !== undefined && (
        <p className="text-muted text-sm">
          Only the settings are copied. Documents, members and chats stay in the original channel.
        </p>
      )}
      <Field label="Name" error={form.errors.name}>
        {(control) => <TextInput {...control} {...form.field('name')} dir="auto" autoComplete="off" />}
      </Field>
      <Field label="Description" error={form.errors.description}>
        {(control) => <TextArea {...control} {...form.field('description')} dir="auto" rows={2} />}
      </Field>
      <ChannelTypeField
        useAssistant={form.values.useAssistant}
        onChange={(useAssistant) => form.set('useAssistant', useAssistant)}
      />
      {form.values.useAssistant ? (
        <AssistantField
          hasInitialFocus={startsAtAssistant}
          value={form.values.openaiAssistantId}
          error={form.errors.openaiAssistantId}
          onChange={(id) => form.set('openaiAssistantId', id)}
        />
      ) : (
        <CustomFields form={form} channel={channel} />
      )}
      <StarterFields
        value={form.values.starterQuestions}
        error={form.errors.starterQuestions}
        onChange={(questions) => form.set('starterQuestions', questions)}
      />
      <RetentionField
        value={form.values.retentionDays}
        error={form.errors.retentionDays}
        onChange={(days) => form.set('retentionDays', days)}
      />
      <ConfirmDialog
        open={confirmation !== null}
        title={confirmation === null ? '' : `Keep chats for only ${formatDays(confirmation.days)}?`}
        confirmLabel="Shorten retention"
        busy={save.isPending}
        onConfirm={() => confirmation !== null && void saveChannel(confirmation.input)}
        onCancel={() => setConfirmation(null)}
      >
        {confirmation !== null && describeCleanup(confirmation.preview)}
      </ConfirmDialog>
    </FormDialog>
  )
}
