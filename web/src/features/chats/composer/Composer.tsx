import type { Attachment } from '@lyceum/contract/attachments'
import { useQuery } from '@tanstack/react-query'
import { type Ref, useEffect } from 'react'
import { channelQuery } from '#features/channels/queries.ts'
import { DraftFiles } from '../attachments/DraftFiles.tsx'
import { listAccepted } from '../attachments/file-kinds.ts'
import { useFileDrop } from '../attachments/use-file-drop.ts'
import { useFiles } from '../attachments/use-files.ts'
import { useIsEmbedded } from '../embedded.ts'
import { type ChatActivity, isBusy } from '../turns/activity.ts'
import { MessageInput, type MessageInputHandle } from './MessageInput.tsx'

interface Props {
  userId: string
  channelId: string
  chatId: string
  activity: ChatActivity
  /** The chat was just created in this tab. */
  isNew: boolean
  /** The element above the field that describes it. */
  descriptionId: string | undefined
  isLoading: boolean
  /** Tells whether files are attached or being attached. */
  onHasFiles: (hasFiles: boolean) => void
  onSend: (text: string, files: readonly Attachment[]) => Promise<boolean>
  onStop: () => void
  ref: Ref<MessageInputHandle>
}

/** The message field of a chat with the files for the next message. */
export function Composer({ channelId, activity, isNew, onHasFiles, onSend, ...input }: Props) {
  const { data: channel } = useQuery({ ...channelQuery(channelId), meta: { quiet: true } })
  const isEmbedded = useIsEmbedded()
  const isAllowed = channel?.allowAttachments === true && !isEmbedded
  const taken = activity.unsent.flatMap(({ files = [] }) => files.map(({ _id }) => _id))
  const takesPictures = channel?.allowPictures === true
  const files = useFiles({ channelId, chatId: input.chatId, isAllowed, takesPictures, taken })
  const hasFiles = files.ready.length + files.pending.length > 0
  useEffect(() => onHasFiles(hasFiles), [hasFiles, onHasFiles])
  const acceptsFiles = isAllowed && !input.isLoading
  const isOver = useFileDrop(acceptsFiles, files.add)
  return (
    <div className="relative">
      {isAllowed && <DraftFiles files={files} chat={{ channelId, chatId: input.chatId }} />}
      <MessageInput
        {...input}
        pendingText={activity.unsent.flatMap(({ text, hasFailed }) => (hasFailed ? [] : text)).join(' ')}
        takesFocus={isNew}
        isBusy={isBusy(activity)}
        isStopping={activity.turn?.isStopping ?? false}
        canStop={activity.turn?.phase === 'replying'}
        isUploading={files.isUploading}
        failedFileCount={files.failedCount}
        onFiles={isAllowed ? files.add : undefined}
        accept={listAccepted(takesPictures)}
        onSend={(text) => {
          files.dismissTooMany()
          return onSend(text, files.ready)
        }}
      />
      {isOver && (
        <p className="absolute inset-0 flex items-center justify-center rounded-card border-2 border-link border-dashed bg-accent-soft font-medium text-sm">
          Drop the files to attach them
        </p>
      )}
    </div>
  )
}
