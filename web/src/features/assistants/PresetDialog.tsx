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
import { assistantIdFor, entriesOf, isChanged, presetForm } from './preset-form.ts'

interface Props {
  /** Null to make one. */
  preset: Preset | null
  presets: readonly Preset[]
  models: AssistantStatus['models']
  onClose: () => void
}

function titleOf(preset: Preset | null, mayChange: boolean): string {
  if (preset === null) return 'New Assistant'
  return mayChange ? 'Edit Assistant' : 'Assistant'
}

/** Makes, changes, shows and tries a ready-made assistant. */
export function PresetDialog({ preset, presets, models, onClose }: Props) {
  const mayChange = useCan('canManageSettings')
  const [start] = useState(() => entriesOf(preset))
  function idFor(name: string): string {
    return assistantIdFor(name, new Set(presets.map(({ assistantId }) => assistantId)))
  }
  const form = useSchemaForm(presetForm(idFor), start)
  const save = useSavePreset(preset?._id ?? null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const words = preset === null ? texts.assistants.create : texts.assistants.update

  const send = form.handleSubmit(async (input) => {
    setRefusal(null)
    try {
      await save.mutateAsync(input)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'assistant.exists')
        form.showErrors({ assistantId: error.message })
      else if (!form.showRefusal(error)) setRefusal(messageOf(error, words.failed))
      return
    }
    banner.success(words.done)
    onClose()
  })
  function submit(event: FormEvent<HTMLFormElement>): void {
    if (mayChange) {
      send(event)
      return
    }
    event.preventDefault()
    setRefusal(texts.permissions.manageSettings)
  }

  return (
    <FormDialog
      title={titleOf(preset, mayChange)}
      isChanged={isChanged(form.values, start)}
      unsaved="It has not been saved."
      submitLabel={preset === null ? 'Create Assistant' : 'Save Changes'}
      cancelLabel={mayChange ? 'Cancel' : 'Close'}
      isClosed={!mayChange}
      isSubmitting={form.isSubmitting}
      refusal={refusal}
      onSubmit={submit}
      onClose={onClose}
      aside={<PresetTrial entries={form.values} />}
    >
      <PresetFields
        form={form}
        idFor={idFor}
        models={models}
        channelCount={preset?.channelCount ?? 0}
        readOnly={!mayChange}
      />
    </FormDialog>
  )
}
