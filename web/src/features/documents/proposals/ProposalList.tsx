import type { Citation } from '@lyceum/contract/citations'
import type { Proposal } from '@lyceum/contract/documents'
import { useQuery } from '@tanstack/react-query'
import { FilePlus2, Undo2 } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { formatDateTime } from '#lib/date-time.ts'
import { formatFileSize } from '#lib/file-size.ts'
import { texts } from '#texts/member.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { textLinkStyle } from '#ui/text-link-style.ts'
import { SourceDialog } from '../preview/SourceDialog.tsx'
import { proposalsQuery } from '../queries.ts'
import { RejectionReason } from '../RejectionReason.tsx'
import { ReviewStatus } from '../ReviewStatus.tsx'
import { detectKind } from '../upload/upload-queue.ts'
import { useWithdraw } from './proposals.ts'

/** The approved document as a source, which members may open. No reply numbers it, so its number is 0. */
function toSource({ _id, originalName }: Proposal): Citation {
  return {
    n: 0,
    documentId: _id,
    title: originalName,
    fileType: detectKind({ name: originalName }) ?? '',
    page: null,
    headingPath: [],
    charStart: 0,
    charEnd: 0,
    quote: '',
    available: true,
  }
}

interface RowProps {
  proposal: Proposal
  onOpen: () => void
  onWithdraw: () => void
}

function Row({ proposal, onOpen, onWithdraw }: RowProps) {
  const { originalName, fileSize: bytes, status, createdAt, decidedAt, rejectionReason, isInUse } = proposal
  return (
    <li className="flex items-start gap-2 py-3">
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p dir="auto" className="wrap-anywhere line-clamp-2 text-left font-medium text-sm">
          {originalName}
        </p>
        <p className="text-muted text-xs tabular-nums">
          {formatFileSize(bytes)} · proposed {formatDateTime(createdAt)}
        </p>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted text-xs tabular-nums">
          <ReviewStatus status={status} />
          {decidedAt !== null && formatDateTime(decidedAt)}
          {isInUse === true && <span>· in use</span>}
          {status === 'approved' && (
            <button type="button" aria-description={originalName} onClick={onOpen} className={textLinkStyle}>
              Open document
            </button>
          )}
        </p>
        <RejectionReason reason={rejectionReason} />
      </div>
      {status === 'pending' && (
        <IconButton
          icon={Undo2}
          label="Withdraw"
          tooltipAlign="end"
          aria-description={originalName}
          onClick={onWithdraw}
        />
      )}
    </li>
  )
}

interface WithdrawProps {
  channelId: string
  proposal: Proposal
  onClose: () => void
  heading: RefObject<HTMLHeadingElement | null>
}

function Withdraw({ channelId, proposal, onClose, heading }: WithdrawProps) {
  const withdraw = useWithdraw(channelId)
  return (
    <ConfirmDialog
      open
      title="Withdraw this proposal?"
      confirmLabel="Withdraw"
      busy={withdraw.isPending}
      onConfirm={() => withdraw.mutate(proposal, { onSettled: onClose })}
      onCancel={onClose}
      // The button that opened the dialog is removed with its row.
      finalFocus={() => heading.current}
    >
      <p dir="auto" className="wrap-anywhere line-clamp-3 text-start font-medium text-ink">
        {proposal.originalName}
      </p>
      <p className="mt-2">The file will be deleted without a review.</p>
    </ConfirmDialog>
  )
}

interface ListProps {
  channelId: string
  onOpen: (proposal: Proposal) => void
  onWithdraw: (proposal: Proposal) => void
}

function List({ channelId, onOpen, onWithdraw }: ListProps) {
  const { data, error, refetch } = useQuery(proposalsQuery(channelId))
  if (data === undefined && error === null) {
    return (
      <div role="status" className="mt-2">
        <span className="sr-only">Loading your proposals…</span>
        <Skeleton className="h-20" />
      </div>
    )
  }
  if (data === undefined) {
    return (
      <div className="mt-3 flex flex-col items-start gap-3">
        <Banner tone="danger">{messageOf(error, texts.proposals.loadFailed)}</Banner>
        <Button onClick={() => void refetch()}>Try again</Button>
      </div>
    )
  }
  if (data.length === 0) {
    return <EmptyState icon={FilePlus2}>You have not proposed a document here yet.</EmptyState>
  }
  return (
    <ul aria-label="Your proposals" className="divide-y divide-hairline">
      {data.map((proposal) => (
        <Row
          key={proposal._id}
          proposal={proposal}
          onOpen={() => onOpen(proposal)}
          onWithdraw={() => onWithdraw(proposal)}
        />
      ))}
    </ul>
  )
}

/** The user's own proposals in a channel and their state. */
export function ProposalList({ channelId }: { channelId: string }) {
  const [proposalToWithdraw, setProposalToWithdraw] = useState<Proposal | null>(null)
  const [opened, setOpened] = useState<Proposal | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <section aria-label="Your proposals" className="mt-6">
      <h3 ref={heading} tabIndex={-1} className="font-medium text-sm outline-none">
        Your proposals
      </h3>
      <List channelId={channelId} onOpen={setOpened} onWithdraw={setProposalToWithdraw} />
      <SourceDialog citation={opened && toSource(opened)} onClose={() => setOpened(null)} />
      {proposalToWithdraw !== null && (
        <Withdraw
          channelId={channelId}
          proposal={proposalToWithdraw}
          onClose={() => setProposalToWithdraw(null)}
          heading={heading}
        />
      )}
    </section>
  )
}
