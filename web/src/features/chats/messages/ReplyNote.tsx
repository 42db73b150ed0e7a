import type { ChatMessage } from '@lyceum/contract/chats'
import {
  CircleSlash,
  CircleStop,
  FileSearch,
  type LucideIcon,
  Quote,
  TriangleAlert,
  Unplug,
} from 'lucide-react'

interface Note {
  icon: LucideIcon
  text: string
  color: string
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
  switch (message.mode) {
    case 'refusal':
      return { icon: FileSearch, text: 'Not found in this channel’s documents.', color: plain }
    case 'extractive':
      return {
        icon: Quote,
        text: 'Quoted from the documents, not written by a language model.',
        color: plain,
      }
    default:
      return null
  }
}

export function ReplyNote({ message, isLost }: { message: ChatMessage; isLost: boolean }) {
  const note = getNote(message, isLost)
  if (note === null) return null
  const { icon: Icon, text, color } = note
  return (
    <p className={`flex items-start gap-2 text-sm ${color}`}>
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span className="wrap-anywhere min-w-0">{text}</span>
    </p>
  )
}
