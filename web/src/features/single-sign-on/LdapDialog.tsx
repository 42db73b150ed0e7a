import {
  type Directory,
  type LdapEntries,
  type LdapInput,
  type LdapValues,
  ldapForm,
} from '@lyceum/contract/ldap'
import type { PartTestResult } from '@lyceum/contract/status'
import { useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Field } from '#ui/Field.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { MoreSettings } from '#ui/MoreSettings.tsx'
import { PasswordInput } from '#ui/PasswordInput.tsx'
import { certificatePlaceholder, PemField } from '#ui/PemField.tsx'
import { SaveAnywayDialog } from '#ui/SaveAnywayDialog.tsx'
import { TestResult } from '#ui/TestResult.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { useSaveAnyway } from '#ui/use-save-anyway.ts'
import { ldapKey, useNoteTest } from './failed-test.ts'
import { useSaveLdap, useTestLdap } from './mutations.ts'
import { RulesField } from './RulesField.tsx'

function toEntries(directory: Directory | null): LdapEntries {
  return {
    url: directory?.url ?? '',
    certificate: directory?.certificate ?? '',
    bindDn: directory?.bindDn ?? '',
    bindPassword: '',
    baseDn: directory?.baseDn ?? '',
    userFilter: directory?.userFilter ?? '(objectClass=*)',
    emailAttribute: directory?.emailAttribute ?? 'mail',
    createsUsers: directory?.createsUsers ?? false,
    rules: directory?.rules ?? [],
    testEmail: '',
  }
}

/** The values that a test uses, without the user to look for. */
function pickConnection({
  createsUsers: _,
  rules: __,
  testEmail: ___,
  ...connection
}: LdapInput & Partial<LdapValues>) {
  return connection
}

const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false }

interface Props {
  /** Null to add one. */
  directory: Directory | null
  onClose: () => void
  finalFocus: () => HTMLElement | boolean
}

/** Adds or changes the directory. */
export function LdapDialog({ directory, onClose, finalFocus }: Props) {
  const isNew = directory === null
  const initial = toEntries(directory)
  const save = useSaveLdap(isNew)
  const test = useTestLdap({ isStored: false })
  const noteTest = useNoteTest()
  const form = useSchemaForm<LdapEntries, LdapValues>(ldapForm, initial)
  const [refusal, setRefusal] = useState<string | null>(null)
  const { values, errors, field } = form
  const outcome = isNew ? texts.ldap.add : texts.ldap.change
  /** The result of the last test, if it used the values that are saved. */
  function findResult(input: LdapInput): PartTestResult | null {
    const { email: _, ...tested } = test.variables ?? {}
    return JSON.stringify(tested) === JSON.stringify(pickConnection(input)) ? (test.data ?? null) : null
  }
  const saveAnyway = useSaveAnyway<LdapValues>(async ({ testEmail: _, ...input }) => {
    setRefusal(null)
    try {
      await save.mutateAsync(input)
      noteTest(ldapKey, findResult(input))
      onClose()
    } catch (error) {
      if (!form.showFieldErrors(error)) setRefusal(messageOf(error, outcome.failed))
    }
  })
  const submit = form.handleSubmit((input) => saveAnyway.submit(input, pickConnection(input)))
  function runTest(): void {
    const parsed = ldapForm.safeParse({ ...values, rules: [] })
    if (!parsed.success) {
      form.showErrors(
        Object.fromEntries(parsed.error.issues.map(({ path, message }) => [String(path[0]), message])),
      )
      return
    }
    const { testEmail } = parsed.data
    const connection = pickConnection(parsed.data)
    test.mutate(
      { ...connection, ...(testEmail.trim() === '' ? {} : { email: testEmail }) },
      {
        onSuccess: ({ ok }) => saveAnyway.noteTest(connection, ok),
        onError: (error) => {
          if (form.showFieldErrors(error)) test.reset()
        },
      },
    )
  }
  return (
    <FormDialog
      title={isNew ? 'Add LDAP directory' : 'Edit LDAP directory'}
      isChanged={JSON.stringify({ ...values, testEmail: '' }) !== JSON.stringify(initial)}
      canSubmitUnchanged={isNew}
      unsavedText="The directory has not been saved."
      submitLabel={isNew ? 'Add LDAP directory' : 'Save LDAP directory'}
      isSubmitting={form.isSubmitting || saveAnyway.isSaving}
      refusal={refusal}
      onSubmit={submit}
      onClose={onClose}
      finalFocus={finalFocus}
      aside={
        <SaveAnywayDialog question={saveAnyway.question}>
          The last test of this directory failed. Its users may not be able to sign in.
        </SaveAnywayDialog>
      }
    >
      <Field
        label="Address"
        hint="With ldap://, the connection uses StartTLS. Nothing is sent without TLS."
        error={errors.url}
      >
        {(control) => (
          <TextInput
            {...control}
            {...field('url')}
            {...plain}
            inputMode="url"
            placeholder="ldaps://ldap.example.org"
          />
        )}
      </Field>
      <Field
        label="Bind DN"
        hint="The account that searches for users. It needs to read only."
        error={errors.bindDn}
      >
        {(control) => (
          <TextInput
            {...control}
            {...field('bindDn')}
            {...plain}
            placeholder="cn=lyceum,ou=services,dc=example,dc=org"
          />
        )}
      </Field>
      <Field
        label="Bind password"
        hint={
          !isNew && errors.bindPassword === undefined && 'A password is stored. Leave this empty to keep it.'
        }
        error={errors.bindPassword}
      >
        {(control) => (
          <PasswordInput
            {...control}
            {...field('bindPassword')}
            secret="bind password"
            placeholder={isNew ? '' : 'Unchanged'}
            autoComplete="new-password"
          />
        )}
      </Field>
      <Field label="Base DN" hint="Contains the users and groups." error={errors.baseDn}>
        {(control) => (
          <TextInput {...control} {...field('baseDn')} {...plain} placeholder="dc=example,dc=org" />
        )}
      </Field>
      <div>
        <Field
          label="Look for a user (optional)"
          hint="The test shows the entry and the groups of this email address."
          error={errors.testEmail}
        >
          {(control) => (
            <TextInput {...control} {...field('testEmail')} {...plain} type="email" inputMode="email" />
          )}
        </Field>
        <div className="mt-3">
          <Button size="small" busy={test.isPending} onClick={runTest}>
            Test connection
          </Button>
          <TestResult data={test.data} error={test.error} />
        </div>
      </div>
      <Checkbox
        label="Create users"
        hint="Anyone in the directory gets an account when they sign in. Otherwise only existing and invited users can sign in."
        checked={values.createsUsers}
        onChange={({ target }) => form.set('createsUsers', target.checked)}
      />
      <RulesField
        source="attribute"
        value={values.rules}
        error={errors.rules}
        onChange={(rules) => form.set('rules', rules)}
      />
      <p className="text-muted text-xs">
        The claim <code>groups</code> contains the names and DNs of all groups, also of those that contain
        another one. Any other claim is an attribute of the user, such as <code>departmentNumber</code>.
      </p>
      <MoreSettings
        hasError={[errors.certificate, errors.userFilter, errors.emailAttribute].some(
          (error) => error !== undefined,
        )}
      >
        <PemField
          label="CA certificate"
          hint="The certificate of the authority that issued the directory’s certificate. Leave this empty for a public authority."
          error={errors.certificate}
          placeholder={certificatePlaceholder}
          field={field('certificate')}
        />
        <Field
          label="User filter"
          hint="Only entries that match can sign in, such as those of a group: (memberOf=cn=staff,dc=example,dc=org)."
          error={errors.userFilter}
        >
          {(control) => <TextInput {...control} {...field('userFilter')} {...plain} />}
        </Field>
        <Field label="Attribute of the email address" error={errors.emailAttribute}>
          {(control) => <TextInput {...control} {...field('emailAttribute')} {...plain} />}
        </Field>
      </MoreSettings>
    </FormDialog>
  )
}
