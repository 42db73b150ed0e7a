import { messageInput } from '@lyceum/contract/chats'
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '#ui/Button.tsx'
import { TextArea } from '#ui/TextArea.tsx'

interface Props {
  text: string
  /** A reply is being written; the words can be changed meanwhile, but not sent. */
  isClosed: boolean
  /** It stands there: what it takes the place of may go. */
  onShown: () => void
  onSend: (text: string) => void
  onCancel: () => void
}

/** A message in its place, to be sent in other words. Ctrl+Enter sends, Escape leaves it as it was. */
export function MessageEditor({ text: earlier, isClosed, onShown, onSend, onCancel }: Props) {
  const [text, setText] = useState(earlier)
  const field = useRef<HTMLTextAreaElement>(null)
  const faultId = useId()
  const fault = messageInput.safeParse({ message: text }).error?.issues[0]?.message
  const canSend = fault === undefined && !isClosed

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, before anything is painted
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
    // While a word is being composed, both keys belong to the keyboard.
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
        aria-label="Your message in other words"
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : faultId}
        dir="auto"
        rows={3}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={handleKeyDown}
        className="sm:text-base"
      />
      {fault !== undefined && (
        <p id={faultId} className="mt-1.5 text-danger text-sm">
          {fault}
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
