import { type Attachment, isPictureKind } from '@lyceum/contract/attachments'
import { RotateCw, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { formatFileSize } from '#lib/file-size.ts'
import { focusNextElement, useLostFocus } from '#lib/use-lost-focus.ts'
import { IconButton } from '#ui/IconButton.tsx'
import { findFocusTarget } from '../composer/MessageInput.tsx'
import { FileChip } from './FileChip.tsx'
import { Picture } from './Picture.tsx'
import type { ChatAddress } from './queries.ts'
import type { Files, PendingFile } from './use-files.ts'

function describeProgress({ progress, error }: PendingFile): string {
  if (error !== null) return error
  return progress < 1 ? `Uploading ${Math.floor(progress * 100)}%` : 'Reading…'
}

/** Removing a file moves the focus to the button of a file beside it, or else to the message field. */
function moveFocusOn(_: Element, item: HTMLElement): void {
  const neighbor = item.nextElementSibling ?? item.previousElementSibling
  const target = neighbor ? [...neighbor.querySelectorAll('button')].at(-1) : findFocusTarget()
  target?.focus()
}

interface ReadyProps {
  file: Attachment
  chat: ChatAddress
  onRemove: () => void
}

function ReadyFile({ file, chat, onRemove }: ReadyProps) {
  const { name, fileType, fileSize } = file
  const item = useRef<HTMLLIElement>(null)
  useLostFocus(item, moveFocusOn)
  const removeButton = (
    <IconButton size="small" icon={X} label={`Remove ${name}`} tip="Remove" onClick={onRemove} />
  )
  return isPictureKind(fileType) ? (
    <li ref={item} className="flex items-start">
      <Picture chat={chat} picture={file} />
      {removeButton}
    </li>
  ) : (
    <li ref={item} className="max-w-full">
      <FileChip name={name} detail={formatFileSize(fileSize)}>
        {removeButton}
      </FileChip>
    </li>
  )
}

/** Disappears when pressed, and then the button beside it gets the focus. */
function RetryButton({ name, onRetry }: { name: string; onRetry: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  useLostFocus(button, focusNextElement)
  return (
    <IconButton
      ref={button}
      size="small"
      icon={RotateCw}
      label={`Try again to attach ${name}`}
      tip="Try again"
      onClick={onRetry}
    />
  )
}

interface UnattachedProps {
  file: PendingFile
  onRetry: () => void
  onRemove: () => void
}

/** A file that is being uploaded or could not be attached. The reason of a failure is scrolled into view. */
function UnattachedFile({ file, onRetry, onRemove }: UnattachedProps) {
  const item = useRef<HTMLLIElement>(null)
  const { name } = file.file
  const isFailed = file.error !== null
  useLostFocus(item, moveFocusOn)
  useEffect(() => {
    if (isFailed) item.current?.scrollIntoView({ block: 'nearest' })
  }, [isFailed])
  return (
    <li ref={item} className="max-w-full">
      <FileChip name={name} detail={describeProgress(file)} isFailed={isFailed}>
        {file.canRetry && <RetryButton name={name} onRetry={onRetry} />}
        <IconButton
          size="small"
          icon={X}
          label={isFailed ? `Remove ${name}` : `Cancel ${name}`}
          tip={isFailed ? 'Remove' : 'Cancel'}
          onClick={onRemove}
        />
      </FileChip>
    </li>
  )
}

/** Above the message field: the files of the next message, and those that are being uploaded. */
export function DraftFiles({ files, chat }: { files: Files; chat: ChatAddress }) {
  const { ready, pending, notice, retry, cancel, remove } = files
  return (
    <>
      {ready.length + pending.length > 0 && (
        <ul
          aria-label="Files for this message"
          // On phones it is one row that scrolls sideways.
          className="fading-edges mb-2 flex max-h-[38dvh] gap-2 overflow-y-auto max-sm:*:max-w-64 max-sm:*:shrink-0 sm:flex-wrap"
        >
          {ready.map((file) => (
            <ReadyFile key={file._id} file={file} chat={chat} onRemove={() => void remove(file)} />
          ))}
          {pending.map((file) => (
            <UnattachedFile
              key={file.key}
              file={file}
              onRetry={() => retry(file)}
              onRemove={() => cancel(file.key)}
            />
          ))}
        </ul>
      )}
      <p role="status" className="sr-only">
        {notice}
      </p>
      {pending.some(({ error }) => error !== null) && (
        <p role="alert" className="sr-only">
          {pending.map(({ file, error }) => (error === null ? '' : `${file.name}: ${error}`)).join(' ')}
        </p>
      )}
    </>
  )
}
