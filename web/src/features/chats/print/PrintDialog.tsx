import type { Chat } from '@lyceum/contract/chats'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { isAborted, messageOf } from '#api/api-error.ts'
import { channelQuery } from '#features/channels/queries.ts'
import { formatFullTime } from '#lib/chat-time.ts'
import { texts } from '#texts/member.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Progress } from '#ui/Progress.tsx'
import { chatName } from '../sidebar/chat-label.ts'
import { loadWholeChat, type WholeChat } from './load-whole-chat.ts'
import { PrintedChat } from './PrintedChat.tsx'

/** Time for code blocks to be highlighted. */
const highlightMs = 400

type PrintedChatInfo = Pick<Chat, '_id' | 'title' | 'createdAt'>

interface Props {
  channelId: string
  /** Null while the dialog is closed. */
  chat: PrintedChatInfo | null
  onClose: () => void
}

function PrintPreparation({ channelId, chat, onClose }: Props & { chat: PrintedChatInfo }) {
  const { data: channel } = useQuery(channelQuery(channelId))
  const [wholeChat, setWholeChat] = useState<WholeChat | null>(null)
  const [progress, setProgress] = useState(0)
  const [loadError, setLoadError] = useState<unknown>(null)
  const [isReady, setIsReady] = useState(false)
  const { _id: chatId } = chat

  useEffect(() => {
    const controller = new AbortController()
    loadWholeChat({ channelId, chatId }, controller.signal, setProgress).then(
      setWholeChat,
      (error: unknown) => {
        if (!isAborted(error)) setLoadError(error)
      },
    )
    return () => controller.abort()
  }, [channelId, chatId])

  const close = useEffectEvent(onClose)
  const handleRendered = useCallback(() => setIsReady(true), [])
  useEffect(() => {
    if (!isReady) return
    function handlePrinted(): void {
      close()
    }
    addEventListener('afterprint', handlePrinted)
    const timer = setTimeout(() => window.print(), highlightMs)
    return () => {
      clearTimeout(timer)
      removeEventListener('afterprint', handlePrinted)
    }
  }, [isReady])

  const subtitle = [channel?.name, `started ${formatFullTime(new Date(chat.createdAt))}`]
    .filter(Boolean)
    .join(', ')
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title="Print the whole chat"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {isReady && (
            <Button variant="primary" onClick={() => window.print()}>
              Print
            </Button>
          )}
        </>
      }
    >
      {loadError !== null ? (
        <Banner tone="danger">{messageOf(loadError, texts.chat.loadMessagesFailed)}</Banner>
      ) : isReady ? (
        <p className="text-sm">Ready. Opening the print dialog…</p>
      ) : (
        <Progress
          label={wholeChat === null ? 'Loading the messages' : 'Preparing the pages'}
          value={progress}
        />
      )}
      {wholeChat !== null && (
        <PrintedChat
          title={chatName(chat)}
          subtitle={`${subtitle}.`}
          chat={wholeChat}
          onProgress={setProgress}
          onRendered={handleRendered}
        />
      )}
    </Dialog>
  )
}

/** Loads and renders a whole chat, then opens the browser's print dialog. */
export function PrintDialog({ channelId, chat, onClose }: Props) {
  return chat === null ? null : (
    <PrintPreparation key={chat._id} channelId={channelId} chat={chat} onClose={onClose} />
  )
}
