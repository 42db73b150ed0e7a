import type { Invitation, InvitationResult } from '@lyceum/contract/invitations'
import { CircleCheck, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatCount } from '#lib/format-count.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { cx } from '#ui/cx.ts'
import { Dialog } from '#ui/Dialog.tsx'

/** Leaves out most of the token at the end of a link. */
function shorten(link: string): string {
  return link.replace(/([\w-]{6})[\w-]+$/, '$1…')
}

interface RowProps {
  icon: LucideIcon
  iconStyle: string
  children: ReactNode
  action?: ReactNode
}

function Row({ icon: Icon, iconStyle, children, action }: RowProps) {
  return (
    <li className="flex items-start gap-2 py-2.5 text-sm">
      <Icon aria-hidden="true" className={cx('mt-0.5 size-4 shrink-0', iconStyle)} />
      <div className="wrap-anywhere min-w-0 flex-1">{children}</div>
      {action}
    </li>
  )
}

function InvitedUser({ invitation: { fullName, email, link } }: { invitation: Invitation }) {
  return (
    <Row
      icon={CircleCheck}
      iconStyle="text-success"
      action={link !== undefined && <CopyButton label={`Copy the link for ${fullName}`} text={() => link} />}
    >
      <bdi className="font-medium">{fullName}</bdi>
      <p className="text-muted">{email}</p>
      {link !== undefined && <p className="text-muted text-xs">{shorten(link)}</p>}
    </Row>
  )
}

function formatTitle(invited: number, refused: number): string {
  if (invited === 0) return 'No users invited'
  const users = `${formatCount(invited, 'user')} invited`
  return refused === 0 ? users : `${users}, ${refused.toLocaleString()} not`
}

const listStyle = 'divide-y divide-hairline'

interface Props {
  results: readonly InvitationResult[]
  onClose: () => void
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
      title={formatTitle(invitations.length, refused.length)}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex flex-col gap-5">
        {links.length > 0 && (
          <Banner tone="warning">
            No mail server is configured, so no email is delivered. Send each user their link yourself.
          </Banner>
        )}
        {invitations.length > 0 && (
          <section aria-label="Invited">
            {links.length > 0 && (
              <div className="flex items-start justify-between gap-2 border-hairline border-b pb-2">
                <p className="text-muted text-xs">
                  Copy these links now. You won’t see them again. Each expires in 7 days and works for anyone
                  who has it.
                </p>
                <CopyButton label="Copy all links" caption="Copy all" text={() => links.join('\n')} />
              </div>
            )}
            <ul className={listStyle}>
              {invitations.map((invitation) => (
                <InvitedUser key={invitation._id} invitation={invitation} />
              ))}
            </ul>
          </section>
        )}
        {refused.length > 0 && (
          <section aria-label="Not invited">
            <h3 className="font-medium text-sm">Not invited</h3>
            <ul className={listStyle}>
              {refused.map(({ email, refusal }) => (
                <Row key={email} icon={TriangleAlert} iconStyle="text-warning">
                  <p className="font-medium">{email}</p>
                  <p className="text-muted">{refusal}</p>
                </Row>
              ))}
            </ul>
          </section>
        )}
      </div>
    </Dialog>
  )
}
