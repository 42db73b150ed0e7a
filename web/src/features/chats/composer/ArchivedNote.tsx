import { Archive, Square } from 'lucide-react'
import { texts } from '#texts/member.ts'
import { Button } from '#ui/Button.tsx'

interface Props {
  /** Stops a reply that was running when the channel was archived. Undefined if none is running. */
  onStop?: (() => void) | undefined
  isStopping?: boolean
}

/** Takes the place of the message field. */
export function ArchivedNote({ onStop, isStopping = false }: Props) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 rounded-card border border-hairline bg-surface-2 px-4 py-3 text-sm">
      <p className="flex min-w-0 flex-1 basis-64 items-start gap-2.5">
        <Archive aria-hidden="true" className="mt-px size-4.5 shrink-0 text-muted" strokeWidth={1.75} />
        {texts.chat.archived}
      </p>
      {onStop !== undefined && (
        <Button size="small" busy={isStopping} onClick={onStop}>
          {!isStopping && <Square aria-hidden="true" className="size-3.5 fill-current" />}
          Stop the reply
        </Button>
      )}
    </div>
  )
}
