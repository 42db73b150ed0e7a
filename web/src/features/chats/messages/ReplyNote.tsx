import type { ChatMessage } from '@lyceum/contract/chats'
import {
  CircleSlash,
  CircleStop,
  FileQuestion,
  type LucideIcon,
  Quote,
  TriangleAlert,
  Unplug,
} from 'lucide-react'
import { formatCount } from '#lib/format-count.ts'
import { TextLink } from '#ui/TextLink.tsx'
import { useSetupRemedy } from './use-setup-remedy.ts'

interface Note {
  icon: LucideIcon
  text: string
  color: string
  link?: { linkLabel: string; linkTo: string }
}

const plain = 'text-muted'

/** A note on how a reply ended or was produced; null for an ordinary reply. */
function getNote(message: ChatMessage, isLost: boolean): Note | null {
  if (isLost)
    return { icon: Unplug, text: 'The connection was lost during this reply.', color: 'text-warning' }
  switch (message.state) {
    case 'stopped':
      return { icon: CircleStop, text: 'You stopped this reply.', color: plain }
    case 'interrupted':
      return { icon: CircleSlash, text: 'This reply was interrupted.', color: 'text-warning' }
    case 'failed':
      return {
        icon: TriangleAlert,
        text: message.error || 'The assistant could not answer.',
        color: 'text-danger',
      }
    default:
  }
  return message.mode === 'extractive'
    ? { icon: Quote, text: 'Quoted from the documents, not written by a language model.', color: plain }
    : null
}

function removedText(count: number): string {
  return count === 1
    ? '1 citation was removed because its passage does not support the sentence.'
    : `${formatCount(count, 'citation')} were removed because their passages do not support the sentences.`
}

/** A note on a reply that a model wrote without the channel's documents, or with wrong citations. */
function getGroundingNote({ isUngrounded, removedCitations = 0 }: ChatMessage): Note | null {
  if (isUngrounded !== true && removedCitations === 0) return null
  const parts = [
    ...(isUngrounded === true ? ['Not based on this channel’s documents.'] : []),
    ...(removedCitations > 0 ? [removedText(removedCitations)] : []),
  ]
  return { icon: FileQuestion, text: parts.join(' '), color: plain }
}

export function ReplyNote({ message, isLost }: { message: ChatMessage; isLost: boolean }) {
  const remedy = useSetupRemedy()(message)
  const note = getNote(message, isLost)
  const notes = [
    note !== null && remedy !== null && !isLost ? { ...note, ...remedy } : note,
    isLost ? null : getGroundingNote(message),
  ]
  return notes.map(
    (note) =>
      note !== null && (
        <p key={note.text} className={`flex items-start gap-2 text-sm ${note.color}`}>
          <note.icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <span className="wrap-anywhere min-w-0">
            {note.text}
            {note.link && (
              <>
                {' '}
                <TextLink to={note.link.linkTo}>{note.link.linkLabel}</TextLink>
              </>
            )}
          </span>
        </p>
      ),
  )
}
