import { messageInput } from '@lyceum/contract/chats'
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '#ui/Button.tsx'
import { TextArea } from '#ui/TextArea.tsx'

interface Props {
  text: string
  /** A reply is running: the text can be changed, but not sent. */
  isLocked: boolean
  /** Called before the first paint, so that the parent can remove the message it replaces. */
  onShown: () => void
  onSend: (text: string) => void
  onCancel: () => void
}

/** Edits a message in place. Ctrl+Enter sends, Escape cancels. */
export function MessageEditor({ text: initialText, isLocked, onShown, onSend, onCancel }: Props) {
  const [text, setText] = useState(initialText)
  const field = useRef<HTMLTextAreaElement>(null)
  const errorId = useId()
  const error = messageInput.safeParse({ message: text }).error?.issues[0]?.message
  const canSend = error === undefined && !isLocked

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, before the first paint
  useLayoutEffect(() => {
    onShown()
    const area = field.current
    area?.focus()
    area?.setSelectionRange(area.value.length, area.value.length)
  }, [])

  function send(): void {
    if (canSend) onSend(text)
  }

  function handleKeyDown(event: KeyboardEvent): void {
    // While an input method composes a word, both keys belong to it.
    if (event.nativeEvent.isComposing) return
    const isSend = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    if (!isSend && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (isSend) send()
    else onCancel()
  }

  return (
    <form
      className="w-full rounded-dialog bg-primary-50 p-3 dark:bg-primary-950"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <TextArea
        ref={field}
        aria-label="Edit message"
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : errorId}
        dir="auto"
        rows={3}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={handleKeyDown}
        className="sm:text-base"
      />
      {error !== undefined && (
        <p id={errorId} className="mt-1.5 text-danger text-sm">
          {error}
        </p>
      )}
      <div className="mt-2 flex flex-wrap justify-end gap-2">
        <Button size="small" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" size="small" variant="primary" aria-disabled={!canSend || undefined}>
          Save &amp; send
        </Button>
      </div>
    </form>
  )
}
