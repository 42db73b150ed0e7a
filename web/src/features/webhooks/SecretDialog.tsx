import { ShownOnceDialog } from '#ui/ShownOnceDialog.tsx'

interface Props {
  name: string
  secret: string
  onClose: () => void
  finalFocus: () => HTMLElement | boolean
}

/** Shows the secret of a new webhook, this once. */
export function SecretDialog({ name, secret, onClose, finalFocus }: Props) {
  return (
    <ShownOnceDialog
      title="Webhook added"
      name={name}
      label="Secret"
      noun="secret"
      value={secret}
      remedy="remove the webhook and add it again"
      finalFocus={finalFocus}
      onClose={onClose}
    >
      <p className="text-muted text-sm">
        With it, the receiver checks that an event comes from here. Its libraries for Standard Webhooks take
        the secret as it is.
      </p>
    </ShownOnceDialog>
  )
}
