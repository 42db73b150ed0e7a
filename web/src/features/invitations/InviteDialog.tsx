import {
  type Invitation,
  type InvitationEntries,
  type InvitationResult,
  invitationForm,
  invitationsForm,
} from '@lyceum/contract/invitations'
import { parseInvitees } from '@lyceum/contract/invitees'
import type { Role } from '@lyceum/contract/permissions'
import { expiryDaysDefault, type TwoFactorEntries, type TwoFactorSettings } from '@lyceum/contract/two-factor'
import { useQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { type ClipboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { messageOf } from '#api/api-error.ts'
import { useCan } from '#features/auth/use-can.ts'
import { channelsQuery } from '#features/channels/queries.ts'
import { globalSettingsQuery } from '#features/settings/queries.ts'
import { randomKey } from '#lib/random-key.ts'
import { type SchemaForm, useSchemaForm } from '#lib/use-schema-form.ts'
import { texts } from '#texts/admin.ts'
import { Button } from '#ui/Button.tsx'
import { CheckList } from '#ui/CheckList.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Field } from '#ui/Field.tsx'
import { FormDialog } from '#ui/FormDialog.tsx'
import { Select } from '#ui/Select.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextArea } from '#ui/TextArea.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { useInvite, useInviteSeveral } from './mutations.ts'

type Entries = InvitationEntries & { addresses: string; role: Role }
type Output = z.output<typeof invitationForm> | z.output<typeof invitationsForm>

interface Props {
  /** Receives the invitation, with its link when no mail server delivers it. */
  onSent: (invitation: Invitation) => void
  onSentSeveral: (results: InvitationResult[]) => void
  onClose: () => void
  /** Renders the two-factor fields. Passed in, because features do not import each other's components. */
  renderTwoFactorFields: (
    form: Pick<SchemaForm<TwoFactorEntries, unknown>, 'values' | 'errors' | 'field' | 'set'>,
  ) => ReactNode
}

const title = 'Invite New User'

const severalHint =
  'These are several addresses. Choose “Invite several users at once” to send each an invitation.'

function createEntries(settings: TwoFactorSettings | undefined): Entries {
  return {
    email: '',
    fullName: '',
    addresses: '',
    role: 'user',
    allowedChannels: [],
    twoFactorExpiryDays: String(settings?.twoFactorExpiryDays ?? expiryDaysDefault),
    twoFactorExpiryEnabled: settings?.twoFactorExpiryEnabled ?? true,
  }
}

/** Returns the same key for the same input, so that a retry creates no second invitation. */
function useIdempotencyKey(): (input: unknown) => string {
  const last = useRef({ text: '', key: '' })
  return (input) => {
    const text = JSON.stringify(input)
    if (last.current.text !== text) last.current = { text, key: randomKey() }
    return last.current.key
  }
}

type Form = SchemaForm<Entries, Output>

function hasSeveralAddresses(text: string): boolean {
  return parseInvitees(text).invitees.length > 1
}

interface OneUserProps {
  form: Form
  onPasteSeveral: (addresses: string) => void
}

function OneUserFields({ form, onPasteSeveral }: OneUserProps) {
  const { email } = form.values
  const { email: error } = form.errors
  const hasSeveral = hasSeveralAddresses(email)
  function handlePaste(event: ClipboardEvent): void {
    const text = event.clipboardData.getData('text')
    if (!hasSeveralAddresses(text)) return
    event.preventDefault()
    onPasteSeveral(email === '' ? text : `${email}\n${text}`)
  }
  return (
    <>
      <Field
        label="Email"
        hint={hasSeveral && error === undefined && severalHint}
        error={hasSeveral && error !== undefined ? severalHint : error}
      >
        {(control) => (
          <TextInput
            {...control}
            {...form.field('email')}
            onPaste={handlePaste}
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
    </>
  )
}

function SeveralUsersField({ form }: { form: Form }) {
  const field = useRef<HTMLTextAreaElement>(null)
  // Addresses may have been pasted into the field that it replaces.
  useEffect(() => field.current?.focus(), [])
  return (
    <Field
      label="Email addresses"
      hint="Separate them by commas or line breaks. You can add names: Ada Lovelace <ada@example.org>. Each user can correct their name when they register."
      error={form.errors.addresses}
    >
      {(control) => (
        <TextArea
          {...control}
          {...form.field('addresses')}
          ref={field}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
    </Field>
  )
}

function RoleField({ form }: { form: Form }) {
  const canPromote = useCan('canEditUsers')
  if (!canPromote) return null
  const isAdmin = form.values.role === 'admin'
  return (
    <Field
      label="Role"
      hint={isAdmin && 'Administrators can use the admin area with the permissions you have.'}
      error={form.errors.role}
    >
      {(control) => (
        <Select {...control} {...form.field('role')}>
          <option value="user">User</option>
          <option value="admin">Administrator</option>
        </Select>
      )}
    </Field>
  )
}

function ChannelsField({ form }: { form: Form }) {
  const channels = useQuery({ ...channelsQuery(), meta: { quiet: true } })
  const { allowedChannels } = form.values
  if (channels.isPending) return <Skeleton className="h-40" />
  return (
    <CheckList
      label="Channels"
      searchLabel="Search channels"
      items={(channels.data ?? []).map(({ _id, name }) => ({ id: _id, label: name }))}
      chosen={new Set(allowedChannels)}
      onToggle={(id, isChosen) =>
        form.set(
          'allowedChannels',
          isChosen ? [...allowedChannels, id] : allowedChannels.filter((other) => other !== id),
        )
      }
      empty={channels.isError ? 'The channels could not be loaded.' : 'There are no channels yet.'}
    />
  )
}

function InviteForm({
  settings,
  onSent,
  onSentSeveral,
  onClose,
  renderTwoFactorFields,
}: Props & { settings: TwoFactorSettings | undefined }) {
  const [initialEntries] = useState(() => createEntries(settings))
  const [isSeveral, setIsSeveral] = useState(false)
  // Each schema ignores the fields of the other.
  const schema: z.ZodMiniType<Output> = isSeveral ? invitationsForm : invitationForm
  const form = useSchemaForm<Entries, Output>(schema as z.ZodMiniType<Output, Entries>, initialEntries)
  const invite = useInvite()
  const inviteSeveral = useInviteSeveral()
  const getKey = useIdempotencyKey()
  const [refusal, setRefusal] = useState<string | null>(null)

  async function send(output: Output): Promise<void> {
    if ('addresses' in output) {
      const { addresses, ...shared } = output
      const input = { ...shared, invitees: parseInvitees(addresses).invitees }
      onSentSeveral((await inviteSeveral.mutateAsync({ input, key: getKey(input) })).results)
    } else onSent(await invite.mutateAsync({ input: output, key: getKey(output) }))
  }
  function inviteSeveralUsers(addresses: string): void {
    form.set('addresses', addresses)
    form.showErrors({})
    setIsSeveral(true)
  }
  function toggleSeveral(): void {
    const { addresses, email } = form.values
    if (!isSeveral) inviteSeveralUsers(addresses || email)
    else {
      form.showErrors({})
      setIsSeveral(false)
    }
  }
  const submit = form.handleSubmit(async (output) => {
    setRefusal(null)
    try {
      await send(output)
    } catch (error) {
      const failed = isSeveral ? texts.invitations.sendSeveralFailed : texts.invitations.send.failed
      if (!form.showFieldErrors(error)) setRefusal(messageOf(error, failed))
    }
  })

  return (
    <FormDialog
      title={title}
      isChanged={JSON.stringify(form.values) !== JSON.stringify(initialEntries)}
      canSubmitUnchanged
      unsavedText="The invitation has not been sent."
      submitLabel={isSeveral ? 'Send Invitations' : 'Send Invitation'}
      isSubmitting={form.isSubmitting}
      refusal={refusal}
      onSubmit={submit}
      onClose={onClose}
    >
      {isSeveral ? (
        <SeveralUsersField form={form} />
      ) : (
        <OneUserFields form={form} onPasteSeveral={inviteSeveralUsers} />
      )}
      <Button variant="ghost" size="small" className="-mt-2 self-start" onClick={toggleSeveral}>
        <Users aria-hidden="true" className="size-4" />
        {isSeveral ? 'Invite one user' : 'Invite several users at once'}
      </Button>
      <RoleField form={form} />
      <ChannelsField form={form} />
      <fieldset>
        <legend className="mb-1 font-medium text-sm">Two-factor authentication</legend>
        {renderTwoFactorFields(form)}
      </fieldset>
    </FormDialog>
  )
}

/** Invites one user or several. The two-factor fields start with the global settings. */
export function InviteDialog(props: Props) {
  const settings = useQuery({ ...globalSettingsQuery(), meta: { quiet: true } })
  if (!settings.isPending) return <InviteForm {...props} settings={settings.data} />
  return (
    <Dialog open onClose={props.onClose} title={title}>
      <Skeleton className="h-96" />
    </Dialog>
  )
}
