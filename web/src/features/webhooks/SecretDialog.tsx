import { ShownOnceDialog } from '#ui/ShownOnceDialog.tsx'

interface Props {
  name: string
  secret: string
  /** Whether it takes the place of an earlier one. */
  isReplacement: boolean
  onClose: () => void
  finalFocus: () => HTMLElement | boolean
}

/** Shows a new secret, this once. */
export function SecretDialog({ name, secret, isReplacement, onClose, finalFocus }: Props) {
  return (
    <ShownOnceDialog
      title={isReplacement ? 'Secret replaced' : 'Webhook added'}
      description={<bdi className="wrap-anywhere">{name}</bdi>}
      label="Secret"
      noun="secret"
      value={secret}
      remedy="replace the secret"
      finalFocus={finalFocus}
      onClose={onClose}
    >
      <p className="text-muted text-sm">
        The receiver uses it to check that an event comes from here. Libraries for Standard Webhooks accept it
        unchanged.
      </p>
    </ShownOnceDialog>
  )
}
