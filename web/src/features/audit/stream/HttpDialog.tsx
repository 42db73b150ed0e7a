import {
  type AuditReceiver,
  type EventFormat,
  eventFormats,
  type HttpReceiverEntries,
  type HttpReceiverValues,
  httpReceiverForm,
} from '@lyceum/contract/audit-stream'
import { Field } from '#ui/Field.tsx'
import { MoreSettings } from '#ui/MoreSettings.tsx'
import { PasswordInput } from '#ui/PasswordInput.tsx'
import { certificatePlaceholder, PemField } from '#ui/PemField.tsx'
import { Select } from '#ui/Select.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { ReceiverForm } from './ReceiverForm.tsx'

type HttpReceiver = Extract<AuditReceiver, { kind: 'http' }>

const formatLabels: Record<EventFormat, string> = {
  json: 'JSON array (Elastic, Fluent Bit, Vector)',
  'json-lines': 'One JSON object per line',
  splunk: 'Splunk HTTP Event Collector',
}

function toEntries(receiver: HttpReceiver | null): HttpReceiverEntries {
  return {
    kind: 'http',
    name: receiver?.name ?? '',
    url: receiver?.url ?? '',
    format: receiver?.format ?? 'json',
    headerName: receiver?.headerName ?? '',
    headerValue: '',
    caCertificate: receiver?.caCertificate ?? '',
    startsAt: 'now',
  }
}

interface Props {
  receiver: HttpReceiver | null
  onClose: () => void
  finalFocus: () => HTMLElement | boolean
}

/** Adds or changes an HTTP endpoint. */
export function HttpDialog({ receiver, onClose, finalFocus }: Props) {
  return (
    <ReceiverForm<HttpReceiverEntries, HttpReceiverValues>
      receiver={receiver}
      addTitle="Add HTTP endpoint"
      schema={httpReceiverForm}
      initial={toEntries(receiver)}
      toInput={({ startsAt: _, headerValue, ...input }) => {
        // Without a header there is no value to keep.
        const keepsValue = headerValue === '' && input.headerName !== ''
        return keepsValue ? input : { ...input, headerValue }
      }}
      onClose={onClose}
      finalFocus={finalFocus}
      renderFields={({ field, errors }) => (
        <>
          <Field label="Address" error={errors.url}>
            {(control) => (
              <TextInput
                {...control}
                {...field('url')}
                inputMode="url"
                placeholder="https://splunk.example.org:8088/services/collector/event"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
              />
            )}
          </Field>
          <Field
            label="Format"
            hint="Each entry is an event of the Open Cybersecurity Schema Framework (OCSF)."
            error={errors.format}
          >
            {(control) => (
              <Select {...control} {...field('format')}>
                {eventFormats.map((format) => (
                  <option key={format} value={format}>
                    {formatLabels[format]}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field
            label="Header"
            hint="This header identifies Lyceum to the server. Leave this empty to send none."
            error={errors.headerName}
          >
            {(control) => (
              <TextInput
                {...control}
                {...field('headerName')}
                placeholder="Authorization"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
              />
            )}
          </Field>
          <Field
            label="Header value"
            hint={
              receiver?.hasHeaderValue
                ? 'A value is stored. Leave this empty to keep it.'
                : 'Such as “Splunk” or “Bearer”, a space and the token.'
            }
            error={errors.headerValue}
          >
            {(control) => (
              <PasswordInput
                {...control}
                {...field('headerValue')}
                secret="header value"
                placeholder={receiver?.hasHeaderValue ? 'Unchanged' : ''}
                autoComplete="new-password"
              />
            )}
          </Field>
          <MoreSettings hasError={errors.caCertificate !== undefined}>
            <PemField
              label="CA certificate"
              hint="The certificate of the authority that issued the server’s certificate. Leave this empty for a public authority."
              error={errors.caCertificate}
              placeholder={certificatePlaceholder}
              field={field('caCertificate')}
            />
          </MoreSettings>
        </>
      )}
    />
  )
}
