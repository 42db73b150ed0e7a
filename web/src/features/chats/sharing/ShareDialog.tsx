import type { Chat } from '@lyceum/contract/chats'
import { type ChatShare, sharedChatsApi } from '@lyceum/contract/shared-chats'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Ref, useId, useRef, useState } from 'react'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { formatDateTime } from '#lib/date-time.ts'
import { texts } from '#texts/member.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextInput } from '#ui/TextInput.tsx'
import { toast } from '#ui/toast.ts'
import { chatsKey } from '../queries.ts'
import { chatName } from '../sidebar/chat-label.ts'
import { sharedChatPath, shareQuery } from './queries.ts'

function useChangeShare(channelId: string, chatId: string) {
  const client = useQueryClient()
  const params = { channelId, chatId }
  function showShare(share: ChatShare | null): void {
    client.setQueryData(shareQuery(channelId, chatId).queryKey, { share })
    void client.invalidateQueries({ queryKey: chatsKey(channelId) })
  }
  const share = useMutation({
    mutationFn: () => call(sharedChatsApi.share, { params }),
    onSuccess: showShare,
  })
  const revoke = useMutation({
    mutationFn: () => call(sharedChatsApi.revoke, { params }),
    onSuccess: () => {
      showShare(null)
      toast.success(texts.chat.share.revoked)
    },
  })
  const refusal =
    (share.error && messageOf(share.error, texts.chat.share.failed)) ??
    (revoke.error && messageOf(revoke.error, texts.chat.share.revokeFailed))
  return {
    isSharing: share.isPending,
    isStopping: revoke.isPending,
    isStopped: revoke.isSuccess,
    /** Of the last attempt. */
    refusal,
    share(onShared: () => void): void {
      revoke.reset()
      share.mutate(undefined, { onSuccess: onShared })
    },
    stop(onSettled: () => void): void {
      share.reset()
      revoke.mutate(undefined, { onSettled })
    },
  }
}

interface LinkProps {
  field: Ref<HTMLInputElement>
  channelId: string
  share: ChatShare
}

function ShareLink({ field, channelId, share }: LinkProps) {
  const id = useId()
  const link = new URL(sharedChatPath(channelId, share.shareId), location.origin).href
  return (
    <>
      <label htmlFor={id} className="block font-medium text-sm">
        Link
      </label>
      <div className="mt-1.5 flex items-center gap-2">
        <TextInput ref={field} id={id} readOnly value={link} onFocus={(event) => event.target.select()} />
        <CopyButton label="Copy the link" text={() => link} />
      </div>
      <p className="mt-2 text-muted text-sm">
        Shows the messages up to {formatDateTime(share.sharedAt)}. Only members of this channel can open it.
      </p>
      {share.isOutdated && (
        <div className="mt-4">
          <Banner tone="info">
            The chat has changed since then. Update the link to share it as it is now.
          </Banner>
        </div>
      )}
    </>
  )
}

interface Props {
  channelId: string
  chat: Chat
  onClose: () => void
}

/** Creates, updates and revokes the link with which members of the channel can read a chat. */
export function ShareDialog({ channelId, chat, onClose }: Props) {
  const { data, error, refetch } = useQuery(shareQuery(channelId, chat._id))
  const change = useChangeShare(channelId, chat._id)
  const [isAsking, setIsAsking] = useState(false)
  const primaryButton = useRef<HTMLButtonElement>(null)
  const linkField = useRef<HTMLInputElement>(null)
  const current = data?.share ?? null
  // Selects the link. Wait until it is rendered.
  function focusLink(): void {
    setTimeout(() => linkField.current?.focus(), 0)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Share “${chatName(chat)}”`}
      footer={
        data !== undefined && (
          <>
            {current !== null && <Button onClick={() => setIsAsking(true)}>Stop sharing</Button>}
            {current === null || current.isOutdated ? (
              <Button
                ref={primaryButton}
                variant="primary"
                busy={change.isSharing}
                onClick={() => change.share(focusLink)}
              >
                {current === null ? 'Create link' : 'Update link'}
              </Button>
            ) : (
              <Button ref={primaryButton} variant="primary" onClick={onClose}>
                Done
              </Button>
            )}
          </>
        )
      }
    >
      {change.refusal !== null && (
        <div className="mb-4">
          <Banner tone="danger">{change.refusal}</Banner>
        </div>
      )}
      {data === undefined && error === null && (
        <div role="status">
          <span className="sr-only">Loading…</span>
          <Skeleton className="h-10" />
        </div>
      )}
      {data === undefined && error !== null && (
        <div className="text-sm">
          <p className="text-danger">{messageOf(error, texts.chat.share.loadFailed)}</p>
          <Button size="small" className="mt-2" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      )}
      {data !== undefined && current === null && (
        <p className="text-sm">
          Members of this channel can read the chat with the link, up to this moment. They can’t reply, and
          messages you send later stay private. You can stop sharing at any time.
        </p>
      )}
      {current !== null && <ShareLink field={linkField} channelId={channelId} share={current} />}
      <ConfirmDialog
        open={isAsking}
        title="Stop sharing this chat?"
        confirmLabel="Stop sharing"
        busy={change.isStopping}
        onConfirm={() => change.stop(() => setIsAsking(false))}
        onCancel={() => setIsAsking(false)}
        // The button that opened it is gone once nothing is shared.
        finalFocus={() => (change.isStopped ? primaryButton.current : null)}
      >
        Its link will stop working. If you share the chat again, it gets another link.
      </ConfirmDialog>
    </Dialog>
  )
}
