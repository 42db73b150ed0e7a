import { CircleCheck } from 'lucide-react'
import { useId } from 'react'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { TextInput } from '#ui/TextInput.tsx'

interface Props {
  successText: string
  fullName: string
  link: string
  onClose: () => void
}

/** Shows the invitation link to the inviting administrator when no mail server can deliver it. */
export function InvitationLinkDialog({ successText, fullName, link, onClose }: Props) {
  const id = useId()
  return (
    <Dialog
      open
      onClose={onClose}
      title="Share this link"
      description={
        <span className="flex items-center gap-2 text-success">
          <CircleCheck aria-hidden="true" className="size-4.5 shrink-0" />
          {successText}
        </span>
      }
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <Banner tone="warning">
        No mail server is configured, so no email is delivered. Emails and sign-in codes are saved in the
        server’s outbox folder instead.
      </Banner>
      <label htmlFor={id} className="mt-5 block font-medium text-sm">
        Link for <span dir="auto">{fullName}</span>
      </label>
      <div className="mt-1.5 flex items-center gap-2">
        <TextInput id={id} readOnly value={link} onFocus={(event) => event.target.select()} />
        <CopyButton label="Copy the link" text={() => link} />
      </div>
      <p className="mt-2 text-muted text-xs">
        Copy this link now. You won’t see it again. It expires in 7 days and works for anyone who has it. To
        get a new link, resend the invitation.
      </p>
    </Dialog>
  )
}
