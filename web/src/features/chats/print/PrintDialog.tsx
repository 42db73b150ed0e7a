import type { Chat } from '@lyceum/contract/chats'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { isAborted, messageOf } from '#api/api-error.ts'
import { channelQuery } from '#features/channels/queries.ts'
import { wholeTime } from '#lib/chat-time.ts'
import { texts } from '#texts/member.ts'
import { Banner } from '#ui/Banner.tsx'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Progress } from '#ui/Progress.tsx'
import { chatName } from '../sidebar/chat-label.ts'
import { loadWholeChat, type WholeChat } from './load-whole-chat.ts'
import { PrintedChat } from './PrintedChat.tsx'

/** Code is coloured when it has been still for a moment. */
const settleMs = 400

type PrintedChatInfo = Pick<Chat, '_id' | 'title' | 'createdAt'>

interface Props {
  channelId: string
  /** Null while none is printed. */
  chat: PrintedChatInfo | null
  onClose: () => void
}

function Preparing({ channelId, chat, onClose }: Props & { chat: PrintedChatInfo }) {
  const { data: channel } = useQuery(channelQuery(channelId))
  const [whole, setWhole] = useState<WholeChat | null>(null)
  const [share, setShare] = useState(0)
  const [fault, setFault] = useState<unknown>(null)
  const [isReady, setIsReady] = useState(false)
  const { _id: chatId } = chat

  useEffect(() => {
    const leaving = new AbortController()
    loadWholeChat({ channelId, chatId }, leaving.signal, setShare).then(setWhole, (error: unknown) => {
      if (!isAborted(error)) setFault(error)
    })
    return () => leaving.abort()
  }, [channelId, chatId])

  const leave = useEffectEvent(onClose)
  const handleDrawn = useCallback(() => setIsReady(true), [])
  useEffect(() => {
    if (!isReady) return
    function handlePrinted(): void {
      leave()
    }
    addEventListener('afterprint', handlePrinted)
    const timer = setTimeout(() => window.print(), settleMs)
    return () => {
      clearTimeout(timer)
      removeEventListener('afterprint', handlePrinted)
    }
  }, [isReady])

  const source = [channel?.name, `begun ${wholeTime(new Date(chat.createdAt))}`].filter(Boolean).join(', ')
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
      {fault !== null ? (
        <Banner tone="danger">{messageOf(fault, texts.chat.loadMessagesFailed)}</Banner>
      ) : isReady ? (
        <p className="text-sm">All messages are ready. The window to print them opens by itself.</p>
      ) : (
        <Progress label={whole === null ? 'Loading the messages' : 'Laying them out'} value={share} />
      )}
      {whole !== null && (
        <PrintedChat
          title={chatName(chat)}
          source={`${source}.`}
          chat={whole}
          onProgress={setShare}
          onDrawn={handleDrawn}
        />
      )}
    </Dialog>
  )
}

/** Loads and lays out a whole chat, then hands it to the browser to print. */
export function PrintDialog({ channelId, chat, onClose }: Props) {
  return chat === null ? null : (
    <Preparing key={chat._id} channelId={channelId} chat={chat} onClose={onClose} />
  )
}
