import { type DirectoryInput, type DirectoryKey, directoryInput } from '@lyceum/contract/directories'
import { useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/admin.ts'
import { Field } from '#ui/Field.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { useCreateDirectory } from './mutations.ts'

interface Props {
  finalFocus: () => HTMLElement | boolean
  onCreated: (created: DirectoryKey) => void
  onClose: () => void
}

/** Connects a directory. */
export function CreateDirectoryDialog({ finalFocus, onCreated, onClose }: Props) {
  const create = useCreateDirectory()
  const form = useSchemaForm<DirectoryInput, DirectoryInput>(directoryInput, { name: '' })
  const [refusal, setRefusal] = useState<string | null>(null)
  const submit = form.handleSubmit(async (input) => {
    setRefusal(null)
    try {
      onCreated(await create.mutateAsync(input))
    } catch (error) {
      if (!form.showFieldErrors(error)) setRefusal(messageOf(error, texts.directories.createFailed))
    }
  })
  return (
    <FormDialog
      title="Connect SCIM directory"
      description="A directory with its key can create, change and deactivate users and groups."
      isChanged={form.values.name !== ''}
      canSubmitUnchanged
      unsavedText="The directory has not been connected."
      submitLabel="Create key"
      isSubmitting={form.isSubmitting}
      refusal={refusal}
      onSubmit={submit}
      onClose={onClose}
      finalFocus={finalFocus}
    >
      <Field label="Name" hint="For example, Entra ID or Okta." error={form.errors.name}>
        {(control) => <TextInput {...control} {...form.field('name')} dir="auto" autoComplete="off" />}
      </Field>
    </FormDialog>
  )
}
