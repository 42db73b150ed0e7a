import { messageInput } from '@lyceum/contract/chats'
import { ArrowUp, Square } from 'lucide-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react'
import { onDraftChangedElsewhere, readDraft, saveDraft } from '#lib/drafts.ts'
import { texts } from '#texts/member.ts'
import { controlStyle } from '#ui/control-style.ts'
import { cx } from '#ui/cx.ts'

interface Props {
  userId: string
  /** Null when no chat is selected. The component is remounted for another chat. */
  chatId: string | null
  /** The text being sent, which is already shown among the messages. */
  pendingText: string
  /** Focuses the field as soon as it is enabled, even when something else has the focus. */
  takesFocus: boolean
  isLoading: boolean
  /** A reply is running: users can type, but not send. */
  isBusy: boolean
  isStopping: boolean
  canStop: boolean
  /** Resolves to false when the message could not be sent. */
  onSend: (text: string) => Promise<boolean>
  onStop: () => void
}

export const messageFieldId = 'message-field'

/** Where to move the focus when the focused element was removed: the field, unless a phone would show its keyboard. */
export function findFocusTarget(): HTMLElement | null {
  const field = document.getElementById(messageFieldId)
  const isReady = field instanceof HTMLInputElement && !field.disabled
  return isReady && matchMedia('(pointer: fine)').matches ? field : document.getElementById('main')
}

const placeholders = {
  none: 'Select a chat to start messaging...',
  ready: 'Type your message...',
}

const roundButtonStyle =
  'inline-flex size-10 shrink-0 items-center justify-center rounded-full transition-colors pointer-coarse:size-11 disabled:cursor-not-allowed'

/** One line of text. Enter sends, Shift+Enter does not. */
export function MessageInput({
  userId,
  chatId,
  pendingText,
  takesFocus,
  isLoading,
  isBusy,
  isStopping,
  canStop,
  onSend,
  onStop,
}: Props) {
  const draftKey = useMemo(() => (chatId === null ? null : { userId, chatId }), [userId, chatId])
  const [text, setText] = useState(() => {
    const stored = draftKey === null ? '' : readDraft(draftKey)
    return stored === pendingText ? '' : stored
  })
  const [sendError, setSendError] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const errorId = useId()
  const isDisabled = chatId === null || isLoading

  // Focus the field unless the user is focused elsewhere or a phone's keyboard would cover half the screen.
  useEffect(() => {
    const focused = document.activeElement
    const isFocusElsewhere = focused !== null && focused !== document.body && focused.id !== 'main'
    if (!isDisabled && (takesFocus || !isFocusElsewhere) && matchMedia('(pointer: fine)').matches)
      field.current?.focus()
  }, [isDisabled, takesFocus])

  const adoptDraft = useEffectEvent((newText: string) => {
    // The text being typed here is newer than the draft another tab has saved.
    if (document.hasFocus() && document.activeElement === field.current) return
    setText(newText)
  })
  useEffect(
    () =>
      draftKey === null ? undefined : onDraftChangedElsewhere(draftKey, (newText) => adoptDraft(newText)),
    [draftKey],
  )

  // The text being sent is also saved as a draft, so that reloading the page does not lose it.
  const isEmpty = text === ''
  useEffect(() => {
    if (draftKey !== null && isEmpty) saveDraft(draftKey, pendingText)
  }, [draftKey, isEmpty, pendingText])

  // A new attempt is running, so the last error no longer applies.
  useEffect(() => {
    if (isBusy) setSendError(null)
  }, [isBusy])
  const parsed = messageInput.safeParse({ message: text })
  const canSend = parsed.success && !isDisabled && !isBusy
  // A blank field shows no validation error.
  const shownError = text.trim() === '' ? sendError : (parsed.error?.issues[0]?.message ?? sendError)

  function changeText(next: string): void {
    setText(next)
    setSendError(null)
    if (draftKey !== null) saveDraft(draftKey, next)
  }

  async function send(): Promise<void> {
    if (!canSend) return
    changeText('')
    field.current?.focus()
    if (!(await onSend(text))) setSendError(texts.chat.inputFailed)
  }

  function handleKeyDown(event: KeyboardEvent): void {
    // While an input method composes a word, Enter confirms it.
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
          aria-describedby={shownError === null ? undefined : errorId}
          autoComplete="off"
          enterKeyHint="send"
          dir="auto"
          value={text}
          disabled={isDisabled}
          placeholder={chatId === null ? placeholders.none : placeholders.ready}
          onChange={(event) => changeText(event.target.value)}
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
            className={cx(roundButtonStyle, 'bg-ink text-page enabled:hover:opacity-85 disabled:opacity-55')}
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
              roundButtonStyle,
              'bg-primary-500 text-white enabled:hover:bg-primary-600 disabled:bg-surface-2 disabled:text-muted',
            )}
          >
            <ArrowUp aria-hidden="true" className="size-5" />
          </button>
        )}
      </div>
      {shownError !== null && (
        <p id={errorId} className="mt-1.5 text-danger text-sm">
          {shownError}
        </p>
      )}
    </div>
  )
}
