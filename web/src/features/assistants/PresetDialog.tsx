import type { AssistantStatus, Preset } from '@lyceum/contract/assistants'
import { type FormEvent, useId, useState } from 'react'
import { ApiError, messageOf } from '#api/api-error.ts'
import { useCan } from '#features/auth/use-can.ts'
import { useSchemaForm } from '#lib/use-schema-form.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { notice } from '#ui/notice.ts'
import { messages } from '../../messages.ts'
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

const titleOf = (preset: Preset | null, mayChange: boolean): string => {
  if (preset === null) return 'New Assistant'
  return mayChange ? 'Edit Assistant' : 'Assistant'
}

/** Makes, changes, shows and tries a ready-made assistant. */
export const PresetDialog = ({ preset, presets, models, onClose }: Props) => {
  const formId = useId()
  const mayChange = useCan('canManageSettings')
  const [start] = useState(() => entriesOf(preset))
  const idFor = (name: string): string =>
    assistantIdFor(name, new Set(presets.map(({ assistantId }) => assistantId)))
  const form = useSchemaForm(presetForm(idFor), start)
  const save = useSavePreset(preset?._id ?? null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isLeaving, setIsLeaving] = useState(false)
  const words = preset === null ? messages.assistants.create : messages.assistants.update

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
    notice.success(words.done)
    onClose()
  })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    if (mayChange) {
      send(event)
      return
    }
    event.preventDefault()
    setRefusal(messages.permissions.manageSettings)
  }
  // Instructions that took an hour to write are not lost to a press beside the window.
  const leave = (): void => (isChanged(form.values, start) ? setIsLeaving(true) : onClose())

  return (
    <Dialog
      open
      onClose={leave}
      title={titleOf(preset, mayChange)}
      footer={
        <>
          <Button onClick={leave}>{mayChange ? 'Cancel' : 'Close'}</Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            busy={form.isSubmitting}
            aria-disabled={!mayChange}
          >
            {preset === null ? 'Create Assistant' : 'Save Changes'}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-5">
        {refusal !== null && <Banner tone="danger">{refusal}</Banner>}
        <PresetFields
          form={form}
          idFor={idFor}
          models={models}
          channelCount={preset?.channelCount ?? 0}
          readOnly={!mayChange}
        />
      </form>
      <PresetTrial entries={form.values} />
      <ConfirmDialog
        open={isLeaving}
        title="Discard what you entered?"
        confirmLabel="Discard"
        onConfirm={onClose}
        onCancel={() => setIsLeaving(false)}
      >
        It has not been saved.
      </ConfirmDialog>
    </Dialog>
  )
}
