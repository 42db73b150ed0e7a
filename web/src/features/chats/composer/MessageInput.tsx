import { messageInput } from '@lyceum/contract/chats'
import { ArrowUp, Square } from 'lucide-react'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { connection } from '#lib/connection.ts'
import { onDraftChangedElsewhere, readDraft, saveDraft } from '#lib/drafts.ts'
import { useStore } from '#lib/store.ts'
import { texts } from '#texts/member.ts'
import { controlStyle } from '#ui/control-style.ts'
import { cx } from '#ui/cx.ts'
import { AttachButton } from './AttachButton.tsx'

export interface MessageInputHandle {
  /** Adds a line to the text. */
  addLine: (line: string) => void
  /** Sends a text, or leaves it in the field if it cannot be sent now. Does nothing after the user has typed another. */
  submit: (text: string) => void
}

interface Props {
  label?: string
  /** Replaces the placeholders of a chat. */
  placeholder?: string | undefined
  userId: string
  /** Null when no chat is selected. The component is remounted for another chat. */
  chatId: string | null
  /** The text being sent, which is already shown among the messages. */
  pendingText: string
  /** Focuses the field as soon as it is enabled: `true` even when something else has the focus, `false` otherwise. */
  takesFocus: boolean | 'never'
  /** The element above the field that describes it. */
  descriptionId?: string | undefined
  isLoading: boolean
  /** The text is being sent elsewhere: it can be read and copied, but neither changed nor sent. */
  isLocked?: boolean
  /** A reply is running: users can type, but not send. */
  isBusy: boolean
  isStopping: boolean
  canStop: boolean
  /** Files are being uploaded: users can type, but not send. */
  isUploading?: boolean
  /** The number of files in the list that could not be attached. Nothing can be sent until they are removed. */
  failedFileCount?: number
  /** Receives chosen and pasted files. Omitted where no files can be attached. */
  onFiles?: ((files: File[]) => void) | undefined
  /** The types of files to choose from. */
  accept?: string
  /** Resolves to false when the message could not be sent. */
  onSend: (text: string) => Promise<boolean>
  onStop: () => void
  ref?: Ref<MessageInputHandle>
}

export const messageFieldId = 'message-field'

/** The message field, unless it is disabled or a phone would show its keyboard. */
export function findReadyField(): HTMLElement | null {
  const field = document.getElementById(messageFieldId)
  const isReady = field instanceof HTMLTextAreaElement && !field.disabled
  return isReady && matchMedia('(pointer: fine)').matches ? field : null
}

/** Where to move the focus when the focused element was removed. */
export function findFocusTarget(): HTMLElement | null {
  return findReadyField() ?? document.getElementById('main')
}

const placeholders = {
  none: 'Select a chat to start messaging...',
  ready: 'Type your message...',
}

/** For touch, the circle is smaller than the button, so that it keeps a distance of 4 px from the border. */
const roundButtonStyle =
  'absolute right-1.5 bottom-1.5 inline-flex size-9 items-center justify-center rounded-full transition-colors disabled:cursor-not-allowed pointer-coarse:right-0.5 pointer-coarse:bottom-0.5 pointer-coarse:size-11 pointer-coarse:bg-clip-content pointer-coarse:p-[3px]'

interface RoundButtonProps {
  /** Whether it stops the reply rather than sending the message. */
  isStop: boolean
  canStop: boolean
  canSend: boolean
  onStop: () => void
  onSend: () => void
}

function RoundButton({ isStop, canStop, canSend, onStop, onSend }: RoundButtonProps) {
  return isStop ? (
    <button
      key="stop"
      type="button"
      aria-label="Stop the reply"
      disabled={!canStop}
      onClick={onStop}
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
      onClick={onSend}
      className={cx(
        roundButtonStyle,
        'bg-primary-500 text-white enabled:hover:bg-primary-600 disabled:bg-surface-2 disabled:text-muted',
      )}
    >
      <ArrowUp aria-hidden="true" className="size-5" />
    </button>
  )
}

/** Fits the height to the text in browsers without `field-sizing`. */
function useFittedHeight(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height depends on the text
  useLayoutEffect(() => {
    const area = field.current
    if (area === null || CSS.supports('field-sizing', 'content')) return
    area.style.height = 'auto'
    area.style.height = `${area.scrollHeight + area.offsetHeight - area.clientHeight}px`
  }, [field, text])
}

/** While an input method composes a word, Enter confirms it. Safari reports that only through the key code. */
function isComposing({ nativeEvent }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || nativeEvent.keyCode === 229
}

function joinIds(...ids: (string | undefined)[]): string | undefined {
  return ids.filter((id) => id !== undefined).join(' ') || undefined
}

/** One row that grows and wraps. Enter sends, Shift+Enter does not. Pasted line breaks stay. */
export function MessageInput({
  label = 'Message',
  placeholder,
  userId,
  chatId,
  pendingText,
  takesFocus,
  descriptionId,
  isLoading,
  isLocked = false,
  isBusy,
  isStopping,
  canStop,
  isUploading = false,
  failedFileCount = 0,
  onFiles,
  accept = '',
  onSend,
  onStop,
  ref,
}: Props) {
  const draftKey = useMemo(() => (chatId === null ? null : { userId, chatId }), [userId, chatId])
  const [text, setText] = useState(() => {
    const stored = draftKey === null ? '' : readDraft(draftKey)
    return stored === pendingText ? '' : stored
  })
  const [sendError, setSendError] = useState<string | null>(null)
  const [isWaitExplained, setIsWaitExplained] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  useFittedHeight(field, text)
  const errorId = useId()
  const isDisabled = chatId === null || isLoading
  const connectionState = useStore(connection.state)

  // Focus the field unless the user is focused elsewhere or a phone's keyboard would cover half the screen.
  useEffect(() => {
    if (takesFocus === 'never') return
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

  useEffect(() => {
    // A new attempt is running, so the last error no longer applies.
    if (isBusy) setSendError(null)
    if (!isBusy && !isUploading) setIsWaitExplained(false)
  }, [isBusy, isUploading])
  const parsed = messageInput.safeParse({ message: text })
  const hasToWait = isBusy || isUploading
  const isSendable = parsed.success && !isDisabled && !isLocked
  const isReady = !hasToWait && failedFileCount === 0 && connectionState === 'up'
  const canSend = isSendable && isReady
  // A blank field shows no validation error.
  const isInvalid = parsed.error !== undefined && text.trim() !== ''
  const shownError = isInvalid ? (parsed.error.issues[0]?.message ?? null) : sendError

  const isConnected = connectionState === 'up'
  const showsFailedFiles = failedFileCount > 0 && (isConnected || !isSendable)
  function getHint(): string | null {
    if (showsFailedFiles) return texts.attachments.removeFailedFiles(failedFileCount)
    // Neither the end of the reply nor stopping it would let the user send.
    if (!isConnected) return isSendable ? texts.chat[connectionState].field : null
    // The explanation is reset by an effect, and would change before it goes away.
    if (!isWaitExplained || !hasToWait) return null
    return isBusy ? texts.chat.waitForReply : texts.attachments.wait
  }

  function changeText(next: string): void {
    setText(next)
    setSendError(null)
    if (draftKey !== null) saveDraft(draftKey, next)
  }

  useImperativeHandle(ref, () => ({
    addLine: (line) => changeText(text.trim() === '' ? line : `${text}\n${line}`),
    submit: (newText) => {
      if (text !== '' && text !== newText) return
      if (isReady && !isDisabled && !isLocked) void deliver(newText)
      else changeText(newText)
    },
  }))

  async function deliver(sent: string): Promise<void> {
    changeText('')
    if (!(await onSend(sent))) setSendError(texts.chat.inputFailed)
  }

  async function send(): Promise<void> {
    setIsWaitExplained(hasToWait && isSendable)
    if (!canSend) return
    field.current?.focus()
    await deliver(text)
  }

  /** Programs that copy text as a picture, too, must not attach it. */
  function handlePaste(event: ClipboardEvent): void {
    const files = [...event.clipboardData.files]
    if (onFiles === undefined || files.length === 0 || event.clipboardData.types.includes('text/plain'))
      return
    event.preventDefault()
    onFiles(files)
  }

  function handleKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || isComposing(event)) return
    event.preventDefault()
    if (!event.shiftKey) void send()
  }

  return (
    <div>
      <div className="relative">
        <textarea
          ref={field}
          id={messageFieldId}
          rows={1}
          aria-label={label}
          aria-invalid={isInvalid}
          aria-describedby={joinIds(shownError === null ? undefined : errorId, descriptionId)}
          autoComplete="off"
          enterKeyHint="send"
          dir="auto"
          value={text}
          disabled={isDisabled}
          readOnly={isLocked}
          placeholder={
            placeholder ?? (chatId === null ? placeholders.none : isLocked ? '' : placeholders.ready)
          }
          onChange={(event) => changeText(event.target.value)}
          onKeyDown={handleKeyDown}
          onPaste={handlePaste}
          className={cx(
            controlStyle,
            'focus-visible:border-ring focus-visible:outline-ring/25 field-sizing-content block max-h-[min(14rem,40dvh)] min-h-12 resize-none overflow-y-auto rounded-card py-[0.6875rem] pr-13 sm:text-base',
            onFiles === undefined ? 'pl-4' : 'pl-12',
          )}
        />
        {onFiles !== undefined && (
          <AttachButton disabled={isDisabled || isLocked} accept={accept} onFiles={onFiles} />
        )}
        <RoundButton
          isStop={isBusy}
          canStop={canStop && !isStopping && isConnected}
          canSend={canSend}
          onStop={() => {
            onStop()
            field.current?.focus()
          }}
          onSend={() => void send()}
        />
      </div>
      <p
        role="status"
        className={cx('mt-1.5 text-sm empty:hidden', showsFailedFiles ? 'text-danger' : 'text-muted')}
      >
        {getHint()}
      </p>
      {shownError !== null && (
        // That sending failed is already said at the message and in a toast.
        <p id={errorId} className={isInvalid ? 'mt-1.5 text-danger text-sm' : 'sr-only'}>
          {shownError}
        </p>
      )}
    </div>
  )
}
