import { CircleCheck } from 'lucide-react'
import { useId } from 'react'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { TextInput } from '#ui/TextInput.tsx'

interface Props {
  /** What has been done. */
  done: string
  fullName: string
  link: string
  onClose: () => void
}

/** Hands an invitation's link to whoever invites, since nothing else will deliver it. */
export function InvitationLinkDialog({ done, fullName, link, onClose }: Props) {
  const id = useId()
  return (
    <Dialog
      open
      onClose={onClose}
      title="Pass the link on"
      description={
        <span className="flex items-center gap-2 text-success">
          <CircleCheck aria-hidden="true" className="size-4.5 shrink-0" />
          {done}
        </span>
      }
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <Banner tone="warning">
        No mail server is configured, so no e-mail is delivered: letters, and the codes for signing in, are
        put as files into the outbox folder of the installation.
      </Banner>
      <label htmlFor={id} className="mt-5 block font-medium text-sm">
        Link for <span dir="auto">{fullName}</span>
      </label>
      <div className="mt-1.5 flex items-center gap-2">
        <TextInput id={id} readOnly value={link} onFocus={(event) => event.target.select()} />
        <CopyButton label="Copy the link" text={() => link} />
      </div>
      <p className="mt-2 text-muted text-xs">
        It is shown this once, lives for seven days and works for whoever holds it. If it gets lost, resend
        the invitation: that makes a new one.
      </p>
    </Dialog>
  )
}
