import { identityInput } from '@lyceum/contract/single-sign-on'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { messageOf } from '#api/api-error.ts'
import { useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { Field } from '#ui/Field.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { Select } from '#ui/Select.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { useConnectUser } from './mutations.ts'
import { ldapQuery, singleSignOnQuery } from './queries.ts'

type Input = z.output<typeof identityInput>

interface DialogProps {
  userId: string
  issuers: readonly { _id: string; name: string }[]
  onClose: () => void
  finalFocus: () => HTMLElement | boolean
}

function ConnectDialog({ userId, issuers, onClose, finalFocus }: DialogProps) {
  const connect = useConnectUser(userId)
  const form = useSchemaForm<Input, Input>(identityInput, { issuerId: issuers[0]?._id ?? '', subject: '' })
  const [refusal, setRefusal] = useState<string | null>(null)
  const submit = form.handleSubmit(async (input) => {
    setRefusal(null)
    try {
      await connect.mutateAsync(input)
      onClose()
    } catch (error) {
      if (!form.showFieldErrors(error)) setRefusal(messageOf(error, texts.singleSignOn.connect.failed))
    }
  })
  return (
    <FormDialog
      title="Connect to single sign-on"
      description="Someone with this subject at the issuer can then sign in as this user."
      isChanged={form.values.subject !== ''}
      canSubmitUnchanged
      unsavedText="The user has not been connected."
      submitLabel="Connect user"
      isSubmitting={form.isSubmitting}
      refusal={refusal}
      onSubmit={submit}
      onClose={onClose}
      finalFocus={finalFocus}
    >
      <Field label="Issuer" error={form.errors.issuerId}>
        {(control) => (
          <Select {...control} {...form.field('issuerId')}>
            {issuers.map(({ _id, name }) => (
              <option key={_id} value={_id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field
        label="Subject"
        hint="The claim sub, or the entryUUID or objectGUID in the directory. After a refused sign-in, the audit log shows it."
        error={form.errors.subject}
      >
        {(control) => (
          <TextInput
            {...control}
            {...form.field('subject')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
    </FormDialog>
  )
}

/** For system administrators: the only way to connect an administrator. Hidden without issuers and a directory. */
export function ConnectUserButton({ userId }: { userId: string }) {
  const { data } = useQuery({ ...singleSignOnQuery(), meta: { quiet: true } })
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { data: settings } = useQuery({ ...ldapQuery(), meta: { quiet: true } })
  const issuers = [
    ...(data?.issuers ?? []),
    ...(settings?.directory ? [{ _id: '@ldap' as const, name: 'LDAP directory' }] : []),
  ]
  if (issuers.length === 0) return null
  return (
    <>
      <Button ref={button} size="small" onClick={() => setIsOpen(true)}>
        Connect to single sign-on
      </Button>
      {isOpen && (
        <ConnectDialog
          userId={userId}
          issuers={issuers}
          onClose={() => setIsOpen(false)}
          finalFocus={() => button.current ?? true}
        />
      )}
    </>
  )
}
