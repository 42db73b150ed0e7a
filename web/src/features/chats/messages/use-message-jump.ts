import { chatsApi } from '@lyceum/contract/chats'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'wouter'
import { isAborted, messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { texts } from '#texts/member.ts'
import { toast } from '#ui/toast.ts'
import { notifyOtherTabs } from '../other-tabs.ts'
import { editThread, loadFormulasFor, threadKey } from '../queries.ts'
import { type Thread, withLastPage, withOlderPage } from '../thread.ts'
import type { LogHandle } from './MessageLog.tsx'

/** The maximum page size that the server accepts. */
const maxPageSize = 200

interface ChatIds {
  channelId: string
  chatId: string
}

/** Loads older messages until the message is found, switching versions if needed. Returns false if it is missing. */
async function loadUntilFound(client: QueryClient, chat: ChatIds, messageId: string, signal: AbortSignal) {
  const { channelId, chatId } = chat
  let hasSwitched = false
  while (!signal.aborted) {
    const thread = client.getQueryData<Thread>(threadKey(channelId, chatId))
    if (thread === undefined) return false
    if (thread.messages.some(({ _id }) => _id === messageId)) {
      await loadFormulasFor(thread)
      return true
    }
    if (thread.before !== null) {
      const query = { limit: maxPageSize, before: thread.before }
      const page = await call(chatsApi.get, { params: chat, query }, { signal })
      await loadFormulasFor(page)
      await editThread(client, channelId, chatId, (known) => withOlderPage(known, page))
      continue
    }
    if (hasSwitched) return false
    hasSwitched = true
    const page = await call(chatsApi.showVersion, { params: { ...chat, messageId } }, { signal })
    await loadFormulasFor(page)
    await editThread(client, channelId, chatId, () => withLastPage(undefined, page))
    notifyOtherTabs(chat)
  }
  return false
}

interface JumpInput extends ChatIds {
  thread: Thread | undefined
  log: RefObject<LogHandle | null>
}

/** Scrolls to the message named in the URL, loading older messages if needed, and then removes it from the URL. */
export function useMessageJump({ channelId, chatId, thread, log }: JumpInput): { isJumping: boolean } {
  const client = useQueryClient()
  const [search, setSearch] = useSearchParams()
  const [found, setFound] = useState<{ id: string; words: string } | null>(null)
  const targetId = search.get('message')
  const words = search.get('find') ?? ''
  const isLoaded = thread !== undefined

  const clearUrl = useEffectEvent(() => setSearch({ chat: chatId }, { replace: true }))
  const fail = useEffectEvent((message: string) => {
    toast.error(message)
    clearUrl()
  })

  useEffect(() => {
    if (targetId === null || !isLoaded) return
    const controller = new AbortController()
    loadUntilFound(client, { channelId, chatId }, targetId, controller.signal).then(
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
    if (found === null || !thread?.messages.some(({ _id }) => _id === found.id)) return
    log.current?.reveal(found.id, found.words)
    setFound(null)
    clearUrl()
  }, [found, thread, log])

  return { isJumping: targetId !== null }
}
