import { type Channel, type StarterQuestionsInput, starterQuestionsInput } from '@lyceum/contract/channels'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { messageOf } from '#api/api-error.ts'
import { useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/member.ts'
import { FormDialog } from '#ui/FormDialog.tsx'
import { toast } from '#ui/toast.ts'
import { useSetStarters } from '../mutations.ts'
import { fillStarters, StarterFields } from './StarterFields.tsx'

const form = starterQuestionsInput as z.ZodMiniType<StarterQuestionsInput, StarterQuestionsInput>

interface Props {
  channel: Channel
  onClose: () => void
}

/** For channel administrators, who may not have the permission to edit the channel’s other settings. */
export function StarterQuestionsDialog({ channel, onClose }: Props) {
  const [initial] = useState(() => fillStarters(channel.starterQuestions))
  const { values, errors, isSubmitting, set, handleSubmit, showFieldErrors } = useSchemaForm(form, {
    starterQuestions: initial,
  })
  const save = useSetStarters(channel._id)
  const [refusal, setRefusal] = useState<string | null>(null)

  const submit = handleSubmit(async (input) => {
    setRefusal(null)
    try {
      await save.mutateAsync(input)
    } catch (error) {
      if (!showFieldErrors(error)) setRefusal(messageOf(error, texts.starters.failed))
      return
    }
    toast.success(texts.starters.done)
    onClose()
  })

  return (
    <FormDialog
      title="Starter questions"
      isChanged={values.starterQuestions.some((question, index) => question !== initial[index])}
      unsavedText="The starter questions have not been saved."
      submitLabel="Save"
      isSubmitting={isSubmitting}
      refusal={refusal}
      onSubmit={submit}
      onClose={onClose}
    >
      <StarterFields
        value={values.starterQuestions}
        error={errors.starterQuestions}
        onChange={(questions) => set('starterQuestions', questions)}
      />
    </FormDialog>
  )
}
