import { CircleCheck } from 'lucide-react'
import { Banner } from '#ui/Banner.tsx'
import { ShownOnceDialog } from '#ui/ShownOnceDialog.tsx'

interface Props {
  successText: string
  fullName: string
  link: string
  onClose: () => void
}

/** Shows the invitation link to the inviting administrator when no mail server can deliver it. */
export function InvitationLinkDialog({ successText, fullName, link, onClose }: Props) {
  return (
    <ShownOnceDialog
      title="Share this link"
      description={
        <span className="flex items-center gap-2 text-success">
          <CircleCheck aria-hidden="true" className="size-4.5 shrink-0" />
          {successText}
        </span>
      }
      label={
        <>
          Link for <span dir="auto">{fullName}</span>
        </>
      }
      noun="link"
      value={link}
      remedy="resend the invitation to get a new link"
      onClose={onClose}
    >
      <p className="mb-4 text-muted text-sm">It expires in 7 days and works for anyone who has it.</p>
      <Banner tone="info">
        No mail server is configured, so no email is delivered. Emails and sign-in codes are saved in the
        server’s outbox folder instead.
      </Banner>
    </ShownOnceDialog>
  )
}
