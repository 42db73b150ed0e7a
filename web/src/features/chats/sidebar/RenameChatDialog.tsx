import { type Chat, chatsApi } from '@lyceum/contract/chats'
import { useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/member.ts'
import { Field } from '#ui/Field.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { TextInput } from '#ui/TextInput.tsx'

interface Props {
  chat: Chat
  onRename: (title: string) => Promise<unknown>
  onClose: () => void
}

export function RenameChatDialog({ chat, onRename, onClose }: Props) {
  const [initial] = useState({ title: chat.title ?? '' })
  const form = useSchemaForm(chatsApi.rename.body, initial)
  const [refusal, setRefusal] = useState<string | null>(null)

  const submit = form.handleSubmit(async ({ title }) => {
    setRefusal(null)
    try {
      await onRename(title)
    } catch (error) {
      if (!form.showFieldErrors(error)) setRefusal(messageOf(error, texts.chat.rename.failed))
      return
    }
    onClose()
  })
  return (
    <FormDialog
      title="Rename this chat"
      size="small"
      isChanged={form.values.title !== initial.title}
      canSubmitUnchanged={chat.title === null}
      unsavedText="The title has not been saved."
      submitLabel="Rename"
      isSubmitting={form.isSubmitting}
      refusal={refusal}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Title" error={form.errors.title}>
        {(control) => (
          <TextInput
            {...control}
            {...form.field('title')}
            dir="auto"
            autoComplete="off"
            onFocus={(event) => event.target.select()}
          />
        )}
      </Field>
    </FormDialog>
  )
}
