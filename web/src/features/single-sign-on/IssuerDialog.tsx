import {
  getLogoutPath,
  getRedirectPath,
  type Issuer,
  type IssuerEntries,
  type IssuerValues,
  issuerForm,
  newIssuerForm,
} from '@lyceum/contract/single-sign-on'
import { useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { Field } from '#ui/Field.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { MoreSettings } from '#ui/MoreSettings.tsx'
import { PasswordInput } from '#ui/PasswordInput.tsx'
import { SaveAnywayDialog } from '#ui/SaveAnywayDialog.tsx'
import { TestResult } from '#ui/TestResult.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { useSaveAnyway } from '#ui/use-save-anyway.ts'
import { useNoteTest } from './failed-test.ts'
import { useSaveIssuer, useTestIssuer } from './mutations.ts'
import { RulesField } from './RulesField.tsx'

function splitWords(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

function toEntries(issuer: Issuer | null): IssuerEntries {
  return {
    _id: issuer?._id ?? '',
    name: issuer?.name ?? '',
    issuer: issuer?.issuer ?? '',
    clientId: issuer?.clientId ?? '',
    clientSecret: '',
    createsUsers: issuer?.createsUsers ?? false,
    verifiedClaim: issuer?.verifiedClaim ?? 'email_verified',
    acrValues: issuer?.acrValues.join(' ') ?? '',
    rules: issuer?.rules ?? [],
  }
}

/** What must be registered at the issuer. */
function OurAddresses({ publicUrl, id }: { publicUrl: string; id: string }) {
  const addresses = [
    { label: 'Redirect URI', url: `${publicUrl}${getRedirectPath(id)}` },
    { label: 'Back-channel logout URI', url: `${publicUrl}${getLogoutPath(id)}` },
  ]
  return (
    <dl className="flex flex-col gap-2 rounded-card bg-surface-2 px-4 py-3 text-sm">
      {addresses.map(({ label, url }) => (
        <div key={label}>
          <dt className="text-muted text-xs">{label} (add it at the issuer)</dt>
          <dd className="flex items-center justify-between gap-2">
            <code className="wrap-anywhere min-w-0 text-xs">{url}</code>
            <CopyButton label={`Copy the ${label}`} text={() => url} isIconOnly />
          </dd>
        </div>
      ))}
    </dl>
  )
}

interface Props {
  /** Null to add one. */
  issuer: Issuer | null
  publicUrl: string
  onClose: () => void
  finalFocus: () => HTMLElement | boolean
}

/** Adds or changes an issuer. */
export function IssuerDialog({ issuer, publicUrl, onClose, finalFocus }: Props) {
  const isNew = issuer === null
  const initial = toEntries(issuer)
  const save = useSaveIssuer(issuer?._id ?? null)
  const test = useTestIssuer(null)
  const noteTest = useNoteTest()
  const form = useSchemaForm<IssuerEntries, IssuerValues>(isNew ? newIssuerForm : issuerForm, initial)
  const [refusal, setRefusal] = useState<string | null>(null)
  const { values, errors, field } = form
  const outcome = isNew ? texts.singleSignOn.add : texts.singleSignOn.change
  const saveAnyway = useSaveAnyway<IssuerValues>(async ({ acrValues, ...input }) => {
    setRefusal(null)
    try {
      await save.mutateAsync({ ...input, acrValues: splitWords(acrValues) })
      noteTest(input._id, test.variables === input.issuer ? (test.data ?? null) : null)
      onClose()
    } catch (error) {
      if (!form.showFieldErrors(error)) setRefusal(messageOf(error, outcome.failed))
    }
  })
  const submit = form.handleSubmit((input) => saveAnyway.submit(input, input.issuer))
  function runTest(): void {
    const address = newIssuerForm.shape.issuer.safeParse(values.issuer)
    if (!address.success) {
      form.showErrors({ issuer: address.error.issues[0]?.message ?? '' })
      return
    }
    test.mutate(address.data, {
      onSuccess: ({ ok }) => saveAnyway.noteTest(address.data, ok),
    })
  }
  const { shape } = newIssuerForm
  const hasId = shape._id.safeParse(values._id).success
  return (
    <FormDialog
      title={isNew ? 'Add issuer' : `Edit ${issuer.name}`}
      isChanged={JSON.stringify(values) !== JSON.stringify(initial)}
      canSubmitUnchanged={isNew}
      unsavedText="The issuer has not been saved."
      submitLabel={isNew ? 'Add issuer' : 'Save issuer'}
      isSubmitting={form.isSubmitting || saveAnyway.isSaving}
      refusal={refusal}
      onSubmit={submit}
      onClose={onClose}
      finalFocus={finalFocus}
      aside={
        <SaveAnywayDialog question={saveAnyway.question}>
          The last test of this issuer failed. Users may not be able to sign in with it.
        </SaveAnywayDialog>
      }
    >
      <Field label="Name" hint="The button says “Continue with” and this name." error={errors.name}>
        {(control) => <TextInput {...control} {...field('name')} dir="auto" autoComplete="off" />}
      </Field>
      {isNew && (
        <Field
          label="Short name"
          hint="Part of the redirect URI, such as keycloak. It cannot be changed later."
          error={errors._id}
        >
          {(control) => (
            <TextInput
              {...control}
              {...field('_id')}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
      )}
      {hasId && <OurAddresses publicUrl={publicUrl} id={values._id} />}
      <div>
        <Field
          label="Issuer"
          hint={
            isNew
              ? 'Enter the issuer’s address without /.well-known.'
              : 'To use another issuer, add it and remove this one.'
          }
          error={errors.issuer}
        >
          {(control) => (
            <TextInput
              {...control}
              {...field('issuer')}
              disabled={!isNew}
              inputMode="url"
              placeholder="https://sso.example.org/realms/main"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
        <div className="mt-3">
          <Button size="small" busy={test.isPending} onClick={runTest}>
            Test connection
          </Button>
          <TestResult data={test.data} error={test.error} />
        </div>
      </div>
      <Field label="Client ID" error={errors.clientId}>
        {(control) => (
          <TextInput
            {...control}
            {...field('clientId')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <Field
        label="Client secret"
        hint={
          !isNew && errors.clientSecret === undefined && 'A secret is stored. Leave this empty to keep it.'
        }
        error={errors.clientSecret}
      >
        {(control) => (
          <PasswordInput
            {...control}
            {...field('clientSecret')}
            secret="client secret"
            placeholder={isNew ? '' : 'Unchanged'}
            autoComplete="new-password"
          />
        )}
      </Field>
      <Checkbox
        label="Create users"
        hint="Anyone who signs in through this issuer gets an account. Otherwise only existing and invited users can sign in."
        checked={values.createsUsers}
        onChange={({ target }) => form.set('createsUsers', target.checked)}
      />
      <RulesField
        source="claim"
        value={values.rules}
        error={errors.rules}
        onChange={(rules) => form.set('rules', rules)}
      />
      <MoreSettings hasError={errors.verifiedClaim !== undefined || errors.acrValues !== undefined}>
        <Field
          label="Verified-email claim"
          hint="Must be true for an email address to count. Microsoft Entra ID has no email_verified; it can send xms_edov."
          error={errors.verifiedClaim}
        >
          {(control) => (
            <TextInput
              {...control}
              {...field('verifiedClaim')}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
        <Field
          label="acr values that skip the code"
          hint="Separated by spaces. The code is also skipped if amr says that several factors were used."
          error={errors.acrValues}
        >
          {(control) => (
            <TextInput
              {...control}
              {...field('acrValues')}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
      </MoreSettings>
    </FormDialog>
  )
}
