import type { ChatMessage } from '@lyceum/contract/chats'
import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'wouter'
import { isAborted, messageOf } from '#api/api-error.ts'
import { parsePositiveInt } from '#lib/url-values.ts'
import { texts } from '#texts/member.ts'
import { toast } from '#ui/toast.ts'
import type { OpenCitation } from '../reply/citation.ts'
import type { Thread } from '../thread.ts'
import type { ChatIds, loadUntilFound } from './load-until-found.ts'
import type { LogHandle } from './MessageLog.tsx'

interface JumpInput extends ChatIds {
  thread: Thread | undefined
  log: RefObject<LogHandle | null>
  onOpenCitation: OpenCitation
}

async function findMessage(...args: Parameters<typeof loadUntilFound>): Promise<boolean> {
  const { loadUntilFound: load } = await import('./load-until-found.ts')
  return load(...args)
}

/**
 * Scrolls to the message named in the URL, loading older messages if needed, opens the source of it that the URL names,
 * and then removes both from the URL.
 */
export function useMessageJump({ channelId, chatId, thread, log, onOpenCitation }: JumpInput): {
  isJumping: boolean
} {
  const client = useQueryClient()
  const [search, setSearch] = useSearchParams()
  const [found, setFound] = useState<{ id: string; words: string } | null>(null)
  const targetId = search.get('message')
  const words = search.get('find') ?? ''
  const sourceNumber = parsePositiveInt(search.get('source'))
  const isLoaded = thread !== undefined

  const clearUrl = useEffectEvent(() => setSearch({ chat: chatId }, { replace: true }))
  const openSource = useEffectEvent(({ citations = [] }: ChatMessage) => {
    const citation = citations.find(({ n }) => n === sourceNumber)
    if (citation?.available) onOpenCitation(citation, citations)
  })
  const fail = useEffectEvent((message: string) => {
    toast.error(message)
    clearUrl()
  })

  useEffect(() => {
    if (targetId === null || !isLoaded) return
    const controller = new AbortController()
    findMessage(client, { channelId, chatId }, targetId, controller.signal).then(
      (isFound) => {
        if (controller.signal.aborted) return
        if (isFound) setFound({ id: targetId, words })
        else fail(texts.chat.messageDeleted)
      },
      (error: unknown) => {
        if (!isAborted(error) && !controller.signal.aborted) fail(messageOf(error, texts.chat.messageDeleted))
      },
    )
    return () => controller.abort()
  }, [client, channelId, chatId, targetId, words, isLoaded])

  useEffect(() => {
    const message = thread?.messages.find(({ _id }) => _id === found?.id)
    if (found === null || message === undefined) return
    log.current?.reveal(found.id, found.words)
    openSource(message)
    setFound(null)
    clearUrl()
  }, [found, thread, log])

  return { isJumping: targetId !== null }
}
