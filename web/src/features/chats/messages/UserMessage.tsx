import type { Attachment } from '@lyceum/contract/attachments'
import type { ChatMessage } from '@lyceum/contract/chats'
import { Pencil } from 'lucide-react'
import { memo, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { formatFullTime, formatMessageTime } from '#lib/chat-time.ts'
import { lazyComponent } from '#lib/lazy-component.tsx'
import { texts } from '#texts/member.ts'
import { CopyButton } from '#ui/CopyButton.tsx'
import { IconButton } from '#ui/IconButton.tsx'
import { toast } from '#ui/toast.ts'
import { MessageFiles, toSource } from '../attachments/MessageFiles.tsx'
import { useIsReadOnly } from '../read-only.ts'
import type { OpenCitation } from '../reply/citation.ts'
import { type Delivery, DeliveryTick } from './DeliveryTick.tsx'
import type { MessageActions } from './use-message-actions.ts'
import { VersionSwitch } from './VersionSwitch.tsx'

const MessageEditor = lazyComponent(async () => (await import('./MessageEditor.tsx')).MessageEditor)

interface BubbleProps {
  text: string
  files?: readonly Attachment[] | undefined
  onOpenFile?: ((file: Attachment) => void) | undefined
  timestamp: string
  delivery: Delivery
  children?: ReactNode
}

export function UserBubble({ text, files = [], onOpenFile, timestamp, delivery, children }: BubbleProps) {
  const time = new Date(timestamp)
  return (
    <>
      <p
        dir="auto"
        className="wrap-anywhere max-w-[85%] whitespace-pre-wrap rounded-dialog bg-primary-50 px-4 py-2.5 text-base sm:max-w-[75%] dark:bg-primary-950 forced-colors:border"
      >
        {text}
        {delivery === 'failed' && <span className="text-danger">{texts.chat.notSent}</span>}
      </p>
      <MessageFiles files={files} onOpen={onOpenFile} className="mt-1.5 justify-end" />
      <div className="mt-1 flex flex-wrap items-center justify-end gap-x-1 gap-y-1.5">
        <p className="flex items-center gap-1.5 px-1 text-muted text-xs tabular-nums">
          <time dateTime={timestamp} title={formatFullTime(time)}>
            {formatMessageTime(time, new Date())}
          </time>
          <DeliveryTick delivery={delivery} />
        </p>
        {children}
      </div>
    </>
  )
}

export function UserRow({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-col items-end">
      <h3 className="sr-only">You said</h3>
      {children}
    </div>
  )
}

interface Props {
  message: ChatMessage
  /** An edited text that could not be sent. */
  unsentEdit: string | null
  /** A reply or another change to the conversation is in progress, so no other can be started. */
  isLocked: boolean
  actions: MessageActions
  onOpenCitation: OpenCitation
}

/** A stored message of the user, which can be edited and sent again. */
export const UserMessage = memo(({ message, unsentEdit, isLocked, actions, onOpenCitation }: Props) => {
  const isReadOnly = useIsReadOnly()
  const [isEditorRequested, setIsEditorRequested] = useState(false)
  const [isEditorShown, setIsEditorShown] = useState(false)
  const isEditing = isEditorRequested || unsentEdit !== null
  const editButton = useRef<HTMLButtonElement>(null)
  const wasEditorShown = useRef(false)
  useEffect(() => {
    if (wasEditorShown.current && !isEditorShown) editButton.current?.focus()
    wasEditorShown.current = isEditorShown
  }, [isEditorShown])
  const closeEditor = useCallback(() => {
    actions.discardUnsentEdit()
    setIsEditorRequested(false)
    setIsEditorShown(false)
  }, [actions])
  const handleLoadError = useCallback(() => {
    toast.error(texts.chat.loadComponentFailed)
    closeEditor()
  }, [closeEditor])
  const { _id: id, content, attachments, timestamp, versions, status = 'delivered' } = message

  // The message stays visible until the editor's code is loaded.
  const editor = isEditing && (
    <MessageEditor
      open
      onLoadError={handleLoadError}
      props={{
        text: unsentEdit ?? content,
        isLocked,
        onShown: () => setIsEditorShown(true),
        onSend: (text) => actions.edit(id, text),
        onCancel: closeEditor,
      }}
    />
  )
  return (
    <UserRow>
      {editor}
      {!(isEditing && isEditorShown) && (
        <UserBubble
          text={content}
          files={attachments}
          onOpenFile={(file) => onOpenCitation(toSource(file), [])}
          timestamp={timestamp}
          delivery={status}
        >
          {!isReadOnly && (
            <IconButton
              ref={editButton}
              size="small"
              icon={Pencil}
              label="Edit message"
              tooltipAlign="end"
              onClick={() => setIsEditorRequested(true)}
            />
          )}
          <CopyButton isIconOnly text={() => content} label="Copy message" />
          {versions && (
            <VersionSwitch
              versions={versions}
              isLocked={isLocked}
              onShow={(to) => actions.showVersion({ from: id, to })}
            />
          )}
        </UserBubble>
      )}
    </UserRow>
  )
})
