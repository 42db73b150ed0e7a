import type { Document } from '@lyceum/contract/documents'
import { useQuery } from '@tanstack/react-query'
import { MessageSquareText, X } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { channelsQuery, isOwnChannel } from '#features/channels/queries.ts'
import { formatCount } from '#lib/format-count.ts'
import { phoneQuery, useMediaQuery } from '#lib/use-media-query.ts'
import { Button } from '#ui/Button.tsx'
import { buttonStyle } from '#ui/button-style.ts'
import { cx } from '#ui/cx.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { Link } from '#ui/Link.tsx'
import { Progress } from '#ui/Progress.tsx'
import { useToastLift } from '#ui/use-toast-lift.ts'
import { findFirstDecision } from '../DocumentActions.tsx'
import { isBeingIndexed } from '../queries.ts'
import type { Approvals } from './use-approvals.ts'

/** With more channels than this, their links would fill the notice. */
const maxChannelsLinked = 3

/** The part that is indexed, from 0 to 1. */
function getProgress(documents: readonly Document[]): number {
  const parts = documents.map((document) => (isBeingIndexed(document) ? document.index.percent / 100 : 1))
  return parts.reduce((sum, part) => sum + part, 0) / documents.length
}

/** Names the approval, too, so that the banner need not show it. */
function describe(documents: readonly Document[]): string {
  const approved = formatCount(documents.length, 'approved document')
  const failed = documents.filter(({ index }) => index.state === 'failed').length
  if (documents.some(isBeingIndexed)) return `Indexing ${approved}`
  return failed === 0
    ? `${approved} indexed`
    : `Indexing failed for ${failed.toLocaleString()} of ${approved}`
}

interface ChannelLink {
  _id: string
  name: string
}

/** The channels of these documents in which the user can chat. */
function useChannelLinks(documents: readonly Document[]): readonly ChannelLink[] {
  const { data: channels = [] } = useQuery({ ...channelsQuery(), meta: { quiet: true } })
  const ids = new Set(documents.map(({ channel }) => channel._id))
  return channels
    .filter((channel) => ids.has(channel._id) && isOwnChannel(channel))
    .slice(0, maxChannelsLinked)
}

/** Keeps focused rows clear of the notice: the browser scrolls them above it. */
function useScrollPadding(notice: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = notice.current
    if (element === null) return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => {
      style.scrollPaddingBottom = `${element.offsetHeight + 16}px`
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      style.scrollPaddingBottom = ''
    }
  }, [notice])
}

interface ActionsProps {
  links: readonly ChannelLink[]
  isUnderWay: boolean
  onShowApproved: (() => void) | null
}

/** On phones at most one: the only channel, otherwise the documents. The notice would hide the list. */
function Actions({ links, isUnderWay, onShowApproved }: ActionsProps) {
  const isPhone = useMediaQuery(phoneQuery)
  const shownLinks = isPhone && links.length > 1 ? [] : links
  const showApproved = isPhone && shownLinks.length > 0 ? null : onShowApproved
  return (
    <>
      {shownLinks.map(({ _id, name }) => (
        <Link
          key={_id}
          to={`/channels/${_id}`}
          data-next-step=""
          className={buttonStyle(isUnderWay ? 'secondary' : 'primary', 'small', 'max-w-full')}
        >
          <MessageSquareText aria-hidden="true" className="size-4 shrink-0" />
          <span dir="auto" className="truncate">
            {links.length === 1 ? 'Open channel' : `Open ${name}`}
          </span>
        </Link>
      ))}
      {showApproved !== null && (
        <Button size="small" data-next-step="" onClick={showApproved}>
          {isUnderWay ? 'Show progress' : 'Show approved documents'}
        </Button>
      )}
    </>
  )
}

interface Props {
  approvals: Approvals
  /** Shows the approved documents with their index state; null while they are shown. */
  onShowApproved: (() => void) | null
}

/** Says what becomes of approved documents, and leads to the channels where they can be asked about. */
export function ApprovalNotice({ approvals: { documents, dismiss }, onShowApproved }: Props) {
  const links = useChannelLinks(documents)
  const isUnderWay = documents.some(isBeingIndexed)
  const text = documents.length === 0 ? '' : describe(documents)
  const notice = useRef<HTMLElement>(null)
  const canOpen = documents.length > 0 && !isUnderWay && links.length > 0
  // After the last decision, the next step is here.
  useEffect(() => {
    const pressed = document.activeElement
    if (!canOpen || pressed?.matches('[data-approve][aria-disabled="true"]') !== true) return
    if (findFirstDecision(document) === null)
      notice.current?.querySelector<HTMLElement>('[data-next-step]')?.focus()
  }, [canOpen])
  useToastLift(notice)
  useScrollPadding(notice)
  return (
    // Below the list, so that no row moves when it appears or changes its height.
    <section
      ref={notice}
      aria-label="Approved just now"
      className={cx('sticky bottom-0 z-10', documents.length > 0 && 'pb-3')}
    >
      {/* Always mounted: screen readers announce only what is added to an existing region. */}
      <p role="status" className="sr-only">
        {text}
      </p>
      {documents.length > 0 && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-card border border-link/25 bg-page px-3 py-2 text-sm shadow-float sm:gap-x-4 sm:px-4 sm:py-3">
          <div className="min-w-0 flex-1 basis-56">
            {isUnderWay ? (
              <Progress label={text} value={getProgress(documents)} />
            ) : (
              <p className="font-medium">{text}</p>
            )}
          </div>
          <div className="flex min-w-0 flex-wrap gap-2">
            <Actions links={links} isUnderWay={isUnderWay} onShowApproved={onShowApproved} />
          </div>
          <IconButton
            icon={X}
            size="small"
            label="Dismiss"
            tooltipAlign="end"
            className="ms-auto"
            onClick={dismiss}
          />
        </div>
      )}
    </section>
  )
}
