import { type Chat, chatsApi } from '@lyceum/contract/chats'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Field } from '#ui/Field.tsx'
import { TextInput } from '#ui/TextInput.tsx'

interface FormProps {
  id: string
  title: string
  onRename: (title: string) => void
}

function RenameForm({ id, title, onRename }: FormProps) {
  const [text, setText] = useState(title)
  const [error, setError] = useState<string>()
  function submit(event: FormEvent): void {
    event.preventDefault()
    const parsed = chatsApi.rename.body.safeParse({ title: text })
    if (parsed.success) onRename(parsed.data.title)
    else setError(parsed.error.issues[0]?.message)
  }
  return (
    <form id={id} noValidate onSubmit={submit}>
      <Field label="Title" error={error}>
        {(control) => (
          <TextInput
            {...control}
            dir="auto"
            autoComplete="off"
            value={text}
            onFocus={(event) => event.target.select()}
            onChange={(event) => {
              setText(event.target.value)
              setError(undefined)
            }}
          />
        )}
      </Field>
    </form>
  )
}

interface Props {
  /** Null while the dialog is closed. */
  chat: Chat | null
  onRename: (chat: Chat, title: string) => void
  onCancel: () => void
}

export function RenameChatDialog({ chat, onRename, onCancel }: Props) {
  const formId = useId()
  return (
    <Dialog
      open={chat !== null}
      onClose={onCancel}
      title="Rename this chat"
      size="small"
      footer={
        <>
          <Button onClick={onCancel}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary">
            Rename
          </Button>
        </>
      }
    >
      {chat !== null && (
        <RenameForm
          key={chat._id}
          id={formId}
          title={chat.title ?? ''}
          onRename={(title) => {
            if (title === chat.title) onCancel()
            else onRename(chat, title)
          }}
        />
      )}
    </Dialog>
  )
}
