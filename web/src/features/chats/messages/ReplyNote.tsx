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
import { use } from 'react'
import { describeUnchecked } from '#lib/citation-labels.ts'
import { formatCount } from '#lib/format-count.ts'
import { OwnChatContext } from '../attachments/own-chat.ts'

interface Note {
  icon: LucideIcon
  text: string
  color: string
}

const plain = 'text-muted'
const failedText = 'The assistant could not answer.'

/** Whether a reply ended in the middle of its text. */
export function isCut({ state }: Pick<ChatMessage, 'state'>): boolean {
  return state === 'stopped' || state === 'interrupted'
}

/** A refusal for lack of documents, which the channel has now. Its text would say the opposite. */
export function isOutdatedRefusal({ mode, isMended = false }: ChatMessage): boolean {
  return mode === 'refusal' && isMended
}

/** A note on how a reply ended or was produced; null for an ordinary reply. */
function getNote(
  message: ChatMessage,
  { isLost, isOwnChat }: { isLost: boolean; isOwnChat: boolean },
): Note | null {
  if (isLost)
    return { icon: Unplug, text: 'The connection was lost during this reply.', color: 'text-warning' }
  switch (message.state) {
    case 'stopped':
      return {
        icon: CircleStop,
        text: isOwnChat ? 'You stopped this reply.' : 'This reply was stopped.',
        color: plain,
      }
    case 'interrupted':
      return { icon: CircleSlash, text: 'This reply was interrupted.', color: 'text-warning' }
    case 'failed':
      return {
        icon: TriangleAlert,
        // In one's own chat, `SetupNote` names the problem once.
        text: (!isOwnChat || message.setupProblem === undefined ? message.error : '') || failedText,
        color: message.isMended === true ? plain : 'text-danger',
      }
    default:
  }
  if (isOutdatedRefusal(message))
    return {
      icon: TriangleAlert,
      text: 'This assistant could not answer at that time.',
      color: plain,
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

/** A note on a reply that a model wrote without the channel's documents, or with wrong or unchecked citations. */
function getGroundingNote(message: ChatMessage): Note | null {
  const { isUngrounded, removedCitations = 0, uncheckedCitations = 0 } = message
  const parts = [
    ...(isUngrounded === true ? ['Not based on this channel’s documents.'] : []),
    ...(removedCitations > 0 ? [removedText(removedCitations)] : []),
    ...(uncheckedCitations > 0 ? [describeUnchecked(uncheckedCitations)] : []),
  ]
  if (parts.length === 0) return null
  return { icon: FileQuestion, text: parts.join(' '), color: plain }
}

export function ReplyNote({ message, isLost }: { message: ChatMessage; isLost: boolean }) {
  const isOwnChat = use(OwnChatContext) !== null
  const notes = [getNote(message, { isLost, isOwnChat }), isLost ? null : getGroundingNote(message)]
  return notes.map(
    (note) =>
      note !== null && (
        <p key={note.text} className={`flex items-start gap-2 text-sm ${note.color}`}>
          <note.icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <span className="wrap-anywhere min-w-0">{note.text}</span>
        </p>
      ),
  )
}
