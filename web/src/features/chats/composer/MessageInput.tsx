import { messageInput } from '@lyceum/contract/chats'
import { ArrowUp, Square } from 'lucide-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react'
import { keepDraft, onDraftElsewhere, readDraft } from '#lib/drafts.ts'
import { texts } from '#texts/member.ts'
import { controlStyle } from '#ui/control-style.ts'
import { cx } from '#ui/cx.ts'

interface Props {
  userId: string
  /** Null when no chat is selected. A component lives as long as its chat. */
  chatId: string | null
  /** Words that the server does not have yet; they stand among the messages. */
  onTheirWay: string
  /** Goes into the field as soon as it is ready, wherever the person is. */
  takesFocus: boolean
  /** The chat is still on its way. */
  isLoading: boolean
  /** A reply is being written; something can be typed meanwhile, but not sent. */
  isBusy: boolean
  isStopping: boolean
  canStop: boolean
  /** Resolves false when the message did not get through. */
  onSend: (text: string) => Promise<boolean>
  onStop: () => void
}

/** Where the focus goes when the person wants to write. */
export const messageFieldId = 'message-field'

/** Where the focus goes when what had it is gone: the field, unless a phone's keyboard would come up. */
export function writingPlace(): HTMLElement | null {
  const field = document.getElementById(messageFieldId)
  const isReady = field instanceof HTMLInputElement && !field.disabled
  return isReady && matchMedia('(pointer: fine)').matches ? field : document.getElementById('main')
}

const placeholders = {
  none: 'Select a chat to start messaging...',
  ready: 'Type your message...',
}

const round =
  'inline-flex size-10 shrink-0 items-center justify-center rounded-full transition-colors pointer-coarse:size-11 disabled:cursor-not-allowed'

/** One line of text. Enter sends, Shift+Enter does not. */
export function MessageInput({
  userId,
  chatId,
  onTheirWay,
  takesFocus,
  isLoading,
  isBusy,
  isStopping,
  canStop,
  onSend,
  onStop,
}: Props) {
  const draft = useMemo(() => (chatId === null ? null : { userId, chatId }), [userId, chatId])
  const [text, setText] = useState(() => {
    const kept = draft === null ? '' : readDraft(draft)
    return kept === onTheirWay ? '' : kept
  })
  const [fault, setFault] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const faultId = useId()
  const isDisabled = chatId === null || isLoading

  // Ready to type at once, unless the person is busy elsewhere or a keyboard would slide over half the screen.
  useEffect(() => {
    const focused = document.activeElement
    const isElsewhere = focused !== null && focused !== document.body && focused.id !== 'main'
    if (!isDisabled && (takesFocus || !isElsewhere) && matchMedia('(pointer: fine)').matches)
      field.current?.focus()
  }, [isDisabled, takesFocus])

  const adopt = useEffectEvent((elsewhere: string) => {
    // What is being typed here is the newer one, whatever another tab has kept.
    if (document.hasFocus() && document.activeElement === field.current) return
    setText(elsewhere)
  })
  useEffect(() => (draft === null ? undefined : onDraftElsewhere(draft, (kept) => adopt(kept))), [draft])

  // Words on their way are kept as a draft too, so that leaving or reloading the page loses none of them.
  const isEmpty = text === ''
  useEffect(() => {
    if (draft !== null && isEmpty) keepDraft(draft, onTheirWay)
  }, [draft, isEmpty, onTheirWay])

  // Another try has begun: what is said of the last one no longer holds.
  useEffect(() => {
    if (isBusy) setFault(null)
  }, [isBusy])
  const parsed = messageInput.safeParse({ message: text })
  const canSend = parsed.success && !isDisabled && !isBusy
  // A blank field is no mistake; one that is too long is.
  const shownFault = text.trim() === '' ? fault : (parsed.error?.issues[0]?.message ?? fault)

  function type(next: string): void {
    setText(next)
    setFault(null)
    if (draft !== null) keepDraft(draft, next)
  }

  async function send(): Promise<void> {
    if (!canSend) return
    type('')
    field.current?.focus()
    if (!(await onSend(text))) setFault(texts.chat.inputFailed)
  }

  function handleKeyDown(event: KeyboardEvent): void {
    // While a word is being composed, Enter belongs to the keyboard.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (!event.shiftKey) void send()
  }

  return (
    <div>
      <div className="flex items-center gap-2">
        <input
          ref={field}
          id={messageFieldId}
          type="text"
          aria-label="Message"
          aria-invalid={parsed.error !== undefined && text.trim() !== ''}
          aria-describedby={shownFault === null ? undefined : faultId}
          autoComplete="off"
          enterKeyHint="send"
          dir="auto"
          value={text}
          disabled={isDisabled}
          placeholder={chatId === null ? placeholders.none : placeholders.ready}
          onChange={(event) => type(event.target.value)}
          onKeyDown={handleKeyDown}
          className={cx(controlStyle, 'h-12 min-w-0 flex-1 rounded-card px-4 sm:text-base')}
        />
        {isBusy ? (
          <button
            key="stop"
            type="button"
            aria-label="Stop the reply"
            disabled={!canStop || isStopping}
            onClick={() => {
              onStop()
              field.current?.focus()
            }}
            className={cx(round, 'bg-ink text-page enabled:hover:opacity-85 disabled:opacity-55')}
          >
            <Square aria-hidden="true" className="size-4 fill-current" />
          </button>
        ) : (
          <button
            key="send"
            type="button"
            aria-label="Send message"
            disabled={!canSend}
            onClick={() => void send()}
            className={cx(
              round,
              'bg-primary-500 text-white enabled:hover:bg-primary-600 disabled:bg-surface-2 disabled:text-muted',
            )}
          >
            <ArrowUp aria-hidden="true" className="size-5" />
          </button>
        )}
      </div>
      {shownFault !== null && (
        <p id={faultId} className="mt-1.5 text-danger text-sm">
          {shownFault}
        </p>
      )}
    </div>
  )
}
