import type { SetupProblem } from '@lyceum/contract/channels'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { channelQuery } from '#features/channels/queries.ts'
import { proposalsQuery } from '#features/documents/queries.ts'
import { connection } from '#lib/connection.ts'
import { useStore } from '#lib/store.ts'
import { TextLink } from '#ui/TextLink.tsx'
import { textLinkStyle } from '#ui/text-link-style.ts'
import { type SetupRemedy, useSetupRemedy } from '../messages/use-setup-remedy.ts'
import { threadsKey } from '../queries.ts'
import { findFocusTarget } from './MessageInput.tsx'

export const setupNoteId = 'setup-note'

/** Whether attached files could be asked about nevertheless. */
export function lacksDocuments(problem: SetupProblem | undefined): boolean {
  return problem === 'no-documents' || problem === 'no-documents-or-model'
}

/**
 * Why the channel cannot answer, or else why its last reply failed. Undefined without a connection, when nobody can
 * answer or mend anything.
 */
export function useSetupProblem(
  channelId: string,
  lastProblem: SetupProblem | undefined,
): SetupProblem | undefined {
  const client = useQueryClient()
  const { data: channel } = useQuery({ ...channelQuery(channelId), meta: { quiet: true } })
  const channelProblem = channel?.setupProblem
  // The channel was loaded before it broke, or the last reply failed before it was mended.
  useEffect(() => {
    if (lastProblem !== undefined)
      void client.invalidateQueries({ queryKey: channelQuery(channelId).queryKey, exact: true })
  }, [client, channelId, lastProblem])
  const hadProblem = useRef(false)
  // Failed replies can be tried again once the problem is mended.
  useEffect(() => {
    if (channel === undefined) return
    if (hadProblem.current && channelProblem === undefined)
      void client.invalidateQueries({ queryKey: threadsKey(channelId) })
    hadProblem.current = channelProblem !== undefined
  }, [client, channel, channelProblem, channelId])
  const isConnected = useStore(connection.isReachable)
  return isConnected ? (channelProblem ?? lastProblem) : undefined
}

/** The note goes away by itself, perhaps while the focus is in it. */
function useFocusAfterRemoval(note: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = note.current
    return () => {
      if (element?.contains(document.activeElement)) setTimeout(() => findFocusTarget()?.focus(), 0)
    }
  }, [note])
}

interface Props {
  channelId: string
  problem: SetupProblem | undefined
  /** Undefined where the user may not propose documents. */
  onPropose: (() => void) | undefined
}

/** Says above the message field that the channel cannot answer, before anyone asks. */
export function SetupNote({ channelId, problem, onPropose }: Props) {
  const findRemedy = useSetupRemedy(channelId)
  return problem === undefined ? null : (
    <Note channelId={channelId} problem={problem} remedy={findRemedy(problem)} onPropose={onPropose} />
  )
}

/** Says that a proposed document waits for approval, because the note stays until then. */
function ProposeButton({ channelId, onPropose }: { channelId: string; onPropose: () => void }) {
  const { data: proposals = [] } = useQuery({ ...proposalsQuery(channelId), meta: { quiet: true } })
  const isPending = proposals.some(({ status }) => status === 'pending')
  return (
    <>
      {isPending && <span role="status">Your proposed document is waiting for approval. </span>}
      <button
        type="button"
        onClick={() => {
          // The dialog returns the focus there, because the note may be gone by then.
          findFocusTarget()?.focus()
          onPropose()
        }}
        className={textLinkStyle}
      >
        {isPending ? 'Propose another document' : 'Propose a document'}
      </button>
    </>
  )
}

interface NoteProps {
  channelId: string
  problem: SetupProblem
  remedy: SetupRemedy
  onPropose: (() => void) | undefined
}

function Note({ channelId, problem, remedy: { text, links }, onPropose }: NoteProps) {
  const note = useRef<HTMLDivElement>(null)
  useFocusAfterRemoval(note)
  const canPropose = lacksDocuments(problem) && links.length === 0
  return (
    <div
      ref={note}
      id={setupNoteId}
      className="mb-2 flex items-start gap-2 rounded-card border border-warning/35 bg-warning-soft px-4 py-3 text-sm"
    >
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning" />
      <p className="flex min-w-0 flex-wrap gap-x-4 gap-y-1">
        {`${text} `}
        {links.map(({ label, to }) => (
          <span key={label} className="whitespace-nowrap">
            <TextLink to={to}>{label}</TextLink>{' '}
          </span>
        ))}
        {canPropose && onPropose !== undefined && (
          <ProposeButton channelId={channelId} onPropose={onPropose} />
        )}
      </p>
    </div>
  )
}
