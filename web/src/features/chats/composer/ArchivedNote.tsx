import { Archive } from 'lucide-react'
import { texts } from '#texts/member.ts'
import { ComposerNote, type ComposerNoteProps } from './ComposerNote.tsx'

/** In place of the message field of an archived channel. */
export function ArchivedNote(props: ComposerNoteProps) {
  return (
    <ComposerNote {...props} icon={Archive}>
      {props.isNew ? texts.chat.newlyArchived : texts.chat.archived}
    </ComposerNote>
  )
}
