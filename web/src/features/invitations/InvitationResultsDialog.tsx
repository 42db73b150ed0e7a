import type { InvitationResult } from '@lyceum/contract/invitations'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import { formatCount } from '#lib/format-count.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { TextArea } from '#ui/TextArea.tsx'

interface Props {
  results: readonly InvitationResult[]
  onClose: () => void
}

function Links({ text }: { text: string }) {
  const id = useId()
  return (
    <div>
      <div className="mb-1.5 flex items-end justify-between gap-2">
        <label htmlFor={id} className="font-medium text-sm">
          Links
        </label>
        <CopyButton label="Copy all links" text={() => text} />
      </div>
      <TextArea
        id={id}
        readOnly
        value={text}
        wrap="off"
        onFocus={(event) => event.target.select()}
        className="text-xs"
      />
      <p className="mt-2 text-muted text-xs">
        Copy these links now. You won’t see them again. Each expires in 7 days and works for anyone who has
        it.
      </p>
    </div>
  )
}

/** What became of each address, with the links that no mail server can deliver. */
export function InvitationResultsDialog({ results, onClose }: Props) {
  const invitations = results.flatMap(({ invitation }) => (invitation === null ? [] : [invitation]))
  const refused = results.filter(({ invitation }) => invitation === null)
  const links = invitations.flatMap(({ email, link }) => (link === undefined ? [] : [`${email}\t${link}`]))
  return (
    <Dialog
      open
      onClose={onClose}
      title={refused.length === 0 ? 'Invitations sent' : 'Some addresses were not invited'}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-5">
        {invitations.length > 0 && (
          <p className="flex items-center gap-2 text-sm text-success">
            <CircleCheck aria-hidden="true" className="size-4.5 shrink-0" />
            {formatCount(invitations.length, 'user')} invited.
          </p>
        )}
        {refused.length > 0 && (
          <ul aria-label="Not invited" className="flex flex-col gap-2 text-sm">
            {refused.map(({ email, refusal }) => (
              <li key={email} className="flex items-start gap-2">
                <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning" />
                <span className="wrap-anywhere min-w-0">
                  <span className="font-medium">{email}</span>
                  <span className="block text-muted">{refusal}</span>
                </span>
              </li>
            ))}
          </ul>
        )}
        {links.length > 0 && (
          <>
            <Banner tone="warning">
              No mail server is configured, so no email is delivered. Send each user their link yourself.
            </Banner>
            <Links text={links.join('\n')} />
          </>
        )}
      </div>
    </Dialog>
  )
}
