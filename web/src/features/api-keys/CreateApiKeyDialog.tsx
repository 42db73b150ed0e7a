import {
  type ApiKeyInput,
  apiKeyInput,
  apiKeyLifetimes,
  apiKeyScopes,
  type CreatedApiKey,
} from '@lyceum/contract/api-keys'
import { useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { scopeLabels } from '#lib/api-key-labels.ts'
import { formatCount } from '#lib/format-count.ts'
import { type SchemaForm, useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/member.ts'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Field } from '#ui/Field.tsx'
import { FieldGroup } from '#ui/FieldGroup.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { Select } from '#ui/Select.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { ChannelsField } from './ChannelsField.tsx'
import { KeyDialog } from './KeyDialog.tsx'
import { useCreateApiKey } from './mutations.ts'
import type { KeyOwner } from './queries.ts'

type Form = SchemaForm<ApiKeyInput, ApiKeyInput>

const initialInput: ApiKeyInput = { name: '', scopes: [], channelIds: null, expiresInDays: 90 }

function ScopesField({ form }: { form: Form }) {
  const { scopes } = form.values
  return (
    <FieldGroup name="scopes" label="What the key can do" error={form.errors.scopes}>
      {apiKeyScopes.map((scope) => (
        <Checkbox
          key={scope}
          label={scopeLabels[scope]}
          checked={scopes.includes(scope)}
          onChange={({ target }) =>
            form.set(
              'scopes',
              apiKeyScopes.filter((other) => (other === scope ? target.checked : scopes.includes(other))),
            )
          }
        />
      ))}
    </FieldGroup>
  )
}

function LifetimeField({ form }: { form: Form }) {
  return (
    <Field label="Expires after" error={form.errors.expiresInDays}>
      {(control) => (
        <Select
          {...control}
          name="expiresInDays"
          value={form.values.expiresInDays}
          onChange={({ target }) => {
            const chosen = apiKeyLifetimes.find((days) => String(days) === target.value)
            if (chosen !== undefined) form.set('expiresInDays', chosen)
          }}
          className="sm:max-w-48"
        >
          {apiKeyLifetimes.map((days) => (
            <option key={days} value={days}>
              {formatCount(days, 'day')}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

function Lead({ owner }: { owner: KeyOwner }) {
  if (owner === null) return 'A program with this key acts as you.'
  return (
    <span className="wrap-anywhere">
      A program with this key acts as <bdi>{owner.name}</bdi>.
    </span>
  )
}

interface Props {
  owner: KeyOwner
  finalFocus: () => HTMLElement | boolean
  onClose: () => void
}

function CreateForm({
  owner,
  finalFocus,
  onClose,
  onCreated,
}: Props & { onCreated: (key: CreatedApiKey) => void }) {
  const create = useCreateApiKey(owner)
  const form = useSchemaForm<ApiKeyInput, ApiKeyInput>(apiKeyInput, initialInput)
  const [refusal, setRefusal] = useState<string | null>(null)
  const submit = form.handleSubmit(async (input) => {
    setRefusal(null)
    try {
      onCreated(await create.mutateAsync(input))
    } catch (error) {
      if (!form.showFieldErrors(error)) setRefusal(messageOf(error, texts.apiKeys.createFailed))
    }
  })
  return (
    <FormDialog
      title="Create API key"
      description={<Lead owner={owner} />}
      isChanged={JSON.stringify(form.values) !== JSON.stringify(initialInput)}
      canSubmitUnchanged
      unsavedText="The API key has not been created."
      submitLabel="Create API key"
      isSubmitting={form.isSubmitting}
      refusal={refusal}
      onSubmit={submit}
      onClose={onClose}
      finalFocus={finalFocus}
    >
      <Field label="Name" hint="For example, the program that uses the key." error={form.errors.name}>
        {(control) => <TextInput {...control} {...form.field('name')} dir="auto" autoComplete="off" />}
      </Field>
      <ScopesField form={form} />
      <ChannelsField
        owner={owner}
        value={form.values.channelIds}
        error={form.errors.channelIds}
        onChange={(channelIds) => form.set('channelIds', channelIds)}
      />
      <LifetimeField form={form} />
    </FormDialog>
  )
}

/** Creates an API key, then shows it once. */
export function CreateApiKeyDialog(props: Props) {
  const [created, setCreated] = useState<CreatedApiKey | null>(null)
  if (created === null) return <CreateForm {...props} onCreated={setCreated} />
  return <KeyDialog created={created} finalFocus={props.finalFocus} onClose={props.onClose} />
}
