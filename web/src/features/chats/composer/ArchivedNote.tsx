import { Archive } from 'lucide-react'
import { texts } from '#texts/member.ts'

/** Takes the place of the message field. */
export function ArchivedNote() {
  return (
    <p className="flex items-start gap-2.5 rounded-card border border-hairline bg-surface-2 px-4 py-3 text-sm">
      <Archive aria-hidden="true" className="mt-px size-4.5 shrink-0 text-muted" strokeWidth={1.75} />
      {texts.chat.archived}
    </p>
  )
}
