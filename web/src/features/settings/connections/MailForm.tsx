import {
  type Connections,
  connectionsApi,
  type MailConnectionEntries,
  type MailConnectionInput,
  type MailConnectionValues,
  type MailEncryption,
  mailConnectionForm,
  mailEncryptions,
} from '@lyceum/contract/connections'
import { call } from '#api/call.ts'
import { Field } from '#ui/Field.tsx'
import { Select } from '#ui/Select.tsx'
import { ConnectionCard } from './ConnectionCard.tsx'
import { SettingField } from './SettingField.tsx'
import { type ConnectionFormProps, useConnectionForm } from './use-connection-form.ts'

function toEntries({ mail }: Connections): MailConnectionEntries {
  const { host, port, encryption, username, from } = mail
  return { host, port: String(port ?? 587), encryption, username, password: '', from }
}

function toInput({ password, ...rest }: MailConnectionValues): MailConnectionInput {
  return password === '' ? rest : { ...rest, password }
}

const cardTexts = {
  title: 'Mail',
  intro:
    'A mail server delivers invitations, codes and links. Without one, emails are saved as files on the server instead of being delivered.',
  testLabel: 'Send test email',
  saveLabel: 'Save mail server',
  removeTitle: 'Remove the mail server?',
  removeText:
    'Its address and password are deleted here. Invitations, codes and links are then no longer delivered.',
}

const encryptionLabels: Record<MailEncryption, string> = {
  starttls: 'STARTTLS (usually port 587)',
  tls: 'TLS (usually port 465)',
  optional: 'Only if offered (not secure)',
}

export function MailForm({ connections }: ConnectionFormProps) {
  const { source, hasPassword, variables } = connections.mail
  const { form, handleSubmit, ...mutations } = useConnectionForm<MailConnectionEntries, MailConnectionValues>(
    {
      part: 'mail',
      schema: mailConnectionForm,
      connections,
      toEntries,
      save: (values) => call(connectionsApi.setMail, { body: toInput(values) }),
      test: (values) => call(connectionsApi.testMail, { body: toInput(values) }),
    },
  )
  const { errors, field } = form
  const isFixed = source === 'environment'
  return (
    <ConnectionCard
      {...mutations}
      isChanged={form.isChanged}
      onDiscard={form.discard}
      part="mail"
      source={source}
      health={connections.health.mail}
      variables={[variables.host]}
      texts={cardTexts}
      onSubmit={handleSubmit}
    >
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_8rem]">
        <SettingField
          label="Host"
          hint="Such as smtp.example.org"
          error={errors.host}
          variable={variables.host}
          disabled={isFixed}
          field={field('host')}
        />
        <SettingField
          label="Port"
          hint=""
          inputMode="numeric"
          error={errors.port}
          variable={variables.port}
          disabled={isFixed}
          field={field('port')}
        />
      </div>
      <Field
        label="Encryption"
        error={errors.encryption}
        hint={variables.encryption && `Set by ${variables.encryption} on the server`}
      >
        {(control) => (
          <Select {...control} {...field('encryption')} disabled={isFixed}>
            {mailEncryptions.map((encryption) => (
              <option key={encryption} value={encryption}>
                {encryptionLabels[encryption]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <SettingField
          label="User name"
          hint="Leave this empty if the server doesn’t require sign-in."
          error={errors.username}
          variable={variables.username}
          disabled={isFixed}
          field={field('username')}
        />
        <SettingField
          label="Password"
          hint={hasPassword ? 'A password is stored. Leave this empty to keep it.' : ''}
          secret="password"
          placeholder={hasPassword ? 'Unchanged' : ''}
          error={errors.password}
          variable={variables.password}
          disabled={isFixed}
          field={field('password')}
        />
      </div>
      <SettingField
        label="Sender address"
        hint="The mail server must accept emails from this address."
        inputMode="email"
        error={errors.from}
        variable={variables.from}
        disabled={isFixed}
        field={field('from')}
      />
    </ConnectionCard>
  )
}
