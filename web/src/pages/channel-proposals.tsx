import type { Proposal } from '@lyceum/contract/documents'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { findFocusTarget } from '#features/chats/composer/MessageInput.tsx'
import {
  isUnsettled,
  listUnseenDecisions,
  rememberDecisions,
} from '#features/documents/proposals/seen-decisions.ts'
import { proposalsQuery } from '#features/documents/queries.ts'
import { RejectionReason } from '#features/documents/RejectionReason.tsx'
import { texts } from '#texts/member.ts'
import { cx } from '#ui/cx.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { textLinkStyle } from '#ui/text-link-style.ts'

/** How often the screen checks whether a proposal was decided, or is in use. */
const pollMs = 60_000
const maxShown = 3

function Decision({ originalName, status, rejectionReason }: Proposal) {
  const describe = status === 'rejected' ? texts.proposals.rejected : texts.proposals.approved
  return (
    <li>
      <p dir="auto" className="wrap-anywhere line-clamp-3 text-start">
        {describe(originalName)}
      </p>
      <RejectionReason reason={rejectionReason} className="line-clamp-3" />
    </li>
  )
}

/** The region is always mounted, so that screen readers announce the decisions. */
function Decisions({ decisions }: { decisions: readonly Proposal[] }) {
  const further = decisions.length - maxShown
  return (
    <ul role="status" aria-label="Decisions about your proposals" className="flex flex-col gap-1.5">
      {decisions.slice(0, maxShown).map((decision) => (
        <Decision key={decision._id} {...decision} />
      ))}
      {further > 0 && <li>{texts.proposals.more(further)}</li>}
    </ul>
  )
}

interface Props {
  userId: string
  channelId: string
  /** The list of the user's proposals is open, which shows the decisions, too. */
  isListShown: boolean
  onShowList: () => void
}

/** Tells users in the channel how their proposals were decided, once in each browser. */
export function ProposalNotice({ userId, channelId, isListShown, onShowList }: Props) {
  const { data: proposals = [] } = useQuery({
    ...proposalsQuery(channelId),
    refetchInterval: ({ state }) => (state.data?.some(isUnsettled) ? pollMs : false),
    meta: { quiet: true },
  })
  const [seen, setSeen] = useState<readonly Proposal[]>([])
  const decisions = listUnseenDecisions(userId, proposals, Date.now()).filter(
    (decision) => !seen.includes(decision),
  )
  function remember(): void {
    rememberDecisions(userId, decisions)
    setSeen(decisions)
  }
  const isSeen = isListShown && decisions.length > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: remembers the decisions of that moment
  useEffect(() => {
    if (isSeen) remember()
  }, [isSeen])
  const isShown = decisions.length > 0
  return (
    <div
      className={cx(
        'flex items-start gap-3 text-sm print:hidden',
        isShown && 'border-hairline border-b bg-accent-soft px-4 py-2 md:px-6',
      )}
    >
      <div className="mx-auto flex w-full min-w-0 max-w-3xl flex-wrap items-start gap-x-4 gap-y-1">
        <Decisions decisions={decisions} />
        {isShown && (
          <button
            type="button"
            className={textLinkStyle}
            onClick={() => {
              // The dialog returns the focus there, because this button disappears.
              findFocusTarget()?.focus()
              onShowList()
            }}
          >
            Show your proposals
          </button>
        )}
      </div>
      {isShown && (
        <IconButton
          icon={X}
          size="small"
          label="Dismiss"
          tooltipAlign="end"
          className="-my-1"
          onClick={() => {
            findFocusTarget()?.focus()
            remember()
          }}
        />
      )}
    </div>
  )
}
