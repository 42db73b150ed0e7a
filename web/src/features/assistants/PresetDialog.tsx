import type { AssistantStatus, Preset } from '@lyceum/contract/assistants'
import { type FormEvent, useState } from 'react'
import { ApiError, messageOf } from '#api/api-error.ts'
import { useCan } from '#features/auth/use-can.ts'
import { useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { FormDialog } from '#ui/FormDialog.tsx'
import { useSavePreset } from './mutations.ts'
import { PresetFields } from './PresetFields.tsx'
import { PresetTrial } from './PresetTrial.tsx'
import { createAssistantId, createPresetForm, isChanged, toEntries } from './preset-form.ts'

interface Props {
  /** Null creates a new assistant. */
  preset: Preset | null
  presets: readonly Preset[]
  models: AssistantStatus['models']
  onClose: () => void
}

function getTitle(preset: Preset | null, canEdit: boolean): string {
  if (preset === null) return 'New Assistant'
  return canEdit ? 'Edit Assistant' : 'Assistant'
}

/** Creates, edits, shows and tests a ready-made assistant. */
export function PresetDialog({ preset, presets, models, onClose }: Props) {
  const canEdit = useCan('canManageSettings')
  const [initialEntries] = useState(() => toEntries(preset))
  function createId(name: string): string {
    return createAssistantId(name, new Set(presets.map(({ assistantId }) => assistantId)))
  }
  const form = useSchemaForm(createPresetForm(createId), initialEntries)
  const save = useSavePreset(preset?._id ?? null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const outcome = preset === null ? texts.assistants.create : texts.assistants.update

  const send = form.handleSubmit(async (input) => {
    setRefusal(null)
    try {
      await save.mutateAsync(input)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'assistant.exists')
        form.showErrors({ assistantId: error.message })
      else if (!form.showFieldErrors(error)) setRefusal(messageOf(error, outcome.failed))
      return
    }
    banner.success(outcome.done)
    onClose()
  })
  function submit(event: FormEvent<HTMLFormElement>): void {
    if (canEdit) {
      send(event)
      return
    }
    event.preventDefault()
    setRefusal(texts.permissions.manageSettings)
  }

  return (
    <FormDialog
      title={getTitle(preset, canEdit)}
      isChanged={isChanged(form.values, initialEntries)}
      canSubmitUnchanged={preset === null}
      unsavedText="The assistant has not been saved."
      submitLabel={preset === null ? 'Create Assistant' : 'Save Changes'}
      cancelLabel={canEdit ? 'Cancel' : 'Close'}
      isReadOnly={!canEdit}
      isSubmitting={form.isSubmitting}
      refusal={refusal}
      onSubmit={submit}
      onClose={onClose}
      aside={<PresetTrial entries={form.values} />}
    >
      <PresetFields
        form={form}
        createId={createId}
        models={models}
        channelCount={preset?.channelCount ?? 0}
        readOnly={!canEdit}
      />
    </FormDialog>
  )
}
