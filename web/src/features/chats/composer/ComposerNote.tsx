import { type LucideIcon, Square } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { type DraftKey, readDraft } from '#lib/drafts.ts'
import { texts } from '#texts/member.ts'
import { Button } from '#ui/Button.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { controlStyle } from '#ui/control-style.ts'
import { cx } from '#ui/cx.ts'

export interface ComposerNoteProps {
  /** The message field was there before. */
  isNew: boolean
  /** Undefined when no chat is selected, or when the draft is about to be sent. */
  draftKey?: DraftKey | undefined
  /** Texts that the chat shows as unsent messages. A draft with the same text is not shown again. */
  unsentTexts?: readonly string[]
  /** Stops a reply that was running when the note appeared. Undefined if none is running. */
  onStop?: (() => void) | undefined
  isStopping?: boolean
}

interface Props extends ComposerNoteProps {
  icon: LucideIcon
  /** A way to continue. */
  action?: ReactNode
  children: ReactNode
}

/**
 * Takes the place of the message field. If that happens while a user types, the note takes over the focus, and shows the
 * text, which can be copied.
 */
export function ComposerNote({
  isNew,
  draftKey,
  unsentTexts = [],
  onStop,
  isStopping = false,
  icon: Icon,
  action,
  children,
}: Props) {
  const note = useRef<HTMLDivElement>(null)
  // Read again whenever an unsent message appears or disappears, because that may delete the draft.
  const stored = draftKey === undefined ? '' : readDraft(draftKey)
  const draft = unsentTexts.includes(stored) ? '' : stored
  useEffect(() => {
    if (isNew && document.activeElement === document.body) note.current?.focus()
  }, [isNew])
  return (
    <div
      ref={note}
      tabIndex={-1}
      role={isNew ? 'alert' : undefined}
      className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 rounded-card border border-hairline bg-surface-2 px-4 py-3 text-sm"
    >
      <p className="flex min-w-0 flex-1 basis-64 items-start gap-2.5">
        <Icon aria-hidden="true" className="mt-px size-4.5 shrink-0 text-muted" strokeWidth={1.75} />
        <span>
          {children}
          {draft !== '' && ` ${texts.chat.unsentDraft}`}
        </span>
      </p>
      {onStop !== undefined && (
        <Button size="small" busy={isStopping} onClick={onStop}>
          {!isStopping && <Square aria-hidden="true" className="size-3.5 fill-current" />}
          Stop the reply
        </Button>
      )}
      {action}
      {draft !== '' && (
        <div className="flex w-full items-start gap-2">
          <textarea
            readOnly
            rows={1}
            aria-label="Your text"
            dir="auto"
            value={draft}
            className={cx(
              controlStyle,
              'field-sizing-content max-h-40 min-h-10 min-w-0 flex-1 resize-none py-2',
            )}
          />
          <CopyButton text={() => draft} label="Copy your text" />
        </div>
      )}
    </div>
  )
}
