import {
  type Invitation,
  type InvitationEntries,
  type InvitationInput,
  invitationForm,
} from '@lyceum/contract/invitations'
import { expiryDaysDefault, type TwoFactorEntries, type TwoFactorSettings } from '@lyceum/contract/two-factor'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { channelsQuery } from '#features/channels/queries.ts'
import { globalSettingsQuery } from '#features/settings/queries.ts'
import { randomKey } from '#lib/random-key.ts'
import { type SchemaForm, useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/admin.ts'
import { CheckList } from '#ui/CheckList.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Field } from '#ui/Field.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { useInvite } from './mutations.ts'

interface Props {
  /** Receives the invitation, with its link when no mail server delivers it. */
  onSent: (invitation: Invitation) => void
  onClose: () => void
  /** Renders the two-factor fields. Passed in, because features do not import each other's components. */
  renderTwoFactorFields: (
    form: Pick<SchemaForm<TwoFactorEntries, unknown>, 'values' | 'errors' | 'field' | 'set'>,
  ) => ReactNode
}

const title = 'Invite New User'

function createEntries(settings: TwoFactorSettings | undefined): InvitationEntries {
  return {
    email: '',
    fullName: '',
    allowedChannels: [],
    twoFactorExpiryDays: String(settings?.twoFactorExpiryDays ?? expiryDaysDefault),
    twoFactorExpiryEnabled: settings?.twoFactorExpiryEnabled ?? true,
  }
}

/** Returns the same key for the same input, so that a retry creates no second invitation. */
function useIdempotencyKey(): (input: InvitationInput) => string {
  const last = useRef({ text: '', key: '' })
  return (input) => {
    const text = JSON.stringify(input)
    if (last.current.text !== text) last.current = { text, key: randomKey() }
    return last.current.key
  }
}

function InviteForm({
  settings,
  onSent,
  onClose,
  renderTwoFactorFields,
}: Props & { settings: TwoFactorSettings | undefined }) {
  const [initialEntries] = useState(() => createEntries(settings))
  const channels = useQuery({ ...channelsQuery(), meta: { quiet: true } })
  const form = useSchemaForm<InvitationEntries, InvitationInput>(invitationForm, initialEntries)
  const invite = useInvite()
  const getKey = useIdempotencyKey()
  const [refusal, setRefusal] = useState<string | null>(null)
  const { allowedChannels } = form.values

  const submit = form.handleSubmit(async (input) => {
    setRefusal(null)
    try {
      onSent(await invite.mutateAsync({ input, key: getKey(input) }))
    } catch (error) {
      if (!form.showFieldErrors(error)) setRefusal(messageOf(error, texts.invitations.send.failed))
    }
  })
  function toggle(id: string, isChosen: boolean): void {
    form.set(
      'allowedChannels',
      isChosen ? [...allowedChannels, id] : allowedChannels.filter((other) => other !== id),
    )
  }

  return (
    <FormDialog
      title={title}
      isChanged={JSON.stringify(form.values) !== JSON.stringify(initialEntries)}
      unsavedText="The invitation has not been sent."
      submitLabel="Send Invitation"
      isSubmitting={form.isSubmitting}
      refusal={refusal}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Email" error={form.errors.email}>
        {(control) => (
          <TextInput
            {...control}
            {...form.field('email')}
            type="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <Field label="Full name" error={form.errors.fullName}>
        {(control) => <TextInput {...control} {...form.field('fullName')} dir="auto" autoComplete="off" />}
      </Field>
      {channels.isPending ? (
        <Skeleton className="h-40" />
      ) : (
        <CheckList
          label="Channels"
          searchLabel="Search channels"
          items={(channels.data ?? []).map(({ _id, name }) => ({ id: _id, label: name }))}
          chosen={new Set(allowedChannels)}
          onToggle={toggle}
          empty={channels.isError ? 'The channels could not be loaded.' : 'There are no channels yet.'}
        />
      )}
      <fieldset>
        <legend className="mb-1 font-medium text-sm">Two-factor authentication</legend>
        {renderTwoFactorFields(form)}
      </fieldset>
    </FormDialog>
  )
}

/** Invites a user. The two-factor fields start with the global settings. */
export function InviteDialog(props: Props) {
  const settings = useQuery({ ...globalSettingsQuery(), meta: { quiet: true } })
  if (!settings.isPending) return <InviteForm {...props} settings={settings.data} />
  return (
    <Dialog open onClose={props.onClose} title={title}>
      <Skeleton className="h-96" />
    </Dialog>
  )
}
