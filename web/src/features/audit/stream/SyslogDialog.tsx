import {
  type AuditReceiver,
  type SyslogReceiverEntries,
  type SyslogReceiverValues,
  syslogReceiverForm,
} from '@lyceum/contract/audit-stream'
import { Field } from '#ui/Field.tsx'
import { MoreSettings } from '#ui/MoreSettings.tsx'
import { certificatePlaceholder, PemField } from '#ui/PemField.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { ReceiverForm } from './ReceiverForm.tsx'

type SyslogReceiver = Extract<AuditReceiver, { kind: 'syslog' }>

function toEntries(receiver: SyslogReceiver | null): SyslogReceiverEntries {
  return {
    kind: 'syslog',
    name: receiver?.name ?? '',
    host: receiver?.host ?? '',
    port: receiver?.port ?? 6514,
    caCertificate: receiver?.caCertificate ?? '',
    clientCertificate: receiver?.clientCertificate ?? '',
    clientKey: '',
    startsAt: 'now',
  }
}

interface Props {
  receiver: SyslogReceiver | null
  onClose: () => void
  finalFocus: () => HTMLElement | boolean
}

/** Adds or changes a syslog server. */
export function SyslogDialog({ receiver, onClose, finalFocus }: Props) {
  return (
    <ReceiverForm<SyslogReceiverEntries, SyslogReceiverValues>
      receiver={receiver}
      addTitle="Add syslog server"
      schema={syslogReceiverForm}
      initial={toEntries(receiver)}
      toInput={({ startsAt: _, clientKey, ...input }) => {
        // Without a certificate there is no key to keep.
        const keepsKey = clientKey === '' && input.clientCertificate !== ''
        return keepsKey ? input : { ...input, clientKey }
      }}
      onClose={onClose}
      finalFocus={finalFocus}
      renderFields={({ field, errors }) => (
        <>
          <div className="grid items-start gap-5 sm:grid-cols-[1fr_8rem]">
            <Field label="Host" error={errors.host}>
              {(control) => (
                <TextInput
                  {...control}
                  {...field('host')}
                  placeholder="syslog.example.org"
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                />
              )}
            </Field>
            <Field label="Port" error={errors.port}>
              {(control) => (
                <TextInput {...control} {...field('port')} inputMode="numeric" autoComplete="off" />
              )}
            </Field>
          </div>
          <PemField
            label="CA certificate"
            hint="The certificate of the authority that issued the server’s certificate. Leave this empty for a public authority."
            error={errors.caCertificate}
            placeholder={certificatePlaceholder}
            field={field('caCertificate')}
          />
          <MoreSettings hasError={errors.clientCertificate !== undefined || errors.clientKey !== undefined}>
            <PemField
              label="Client certificate"
              hint="Only if the server asks for one."
              error={errors.clientCertificate}
              placeholder={certificatePlaceholder}
              field={field('clientCertificate')}
            />
            <PemField
              label="Client key"
              hint={receiver?.hasClientKey && 'A key is stored. Leave this empty to keep it.'}
              error={errors.clientKey}
              placeholder="-----BEGIN PRIVATE KEY-----"
              field={field('clientKey')}
            />
          </MoreSettings>
        </>
      )}
    />
  )
}
