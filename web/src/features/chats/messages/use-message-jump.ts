import { chatsApi } from '@lyceum/contract/chats'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'wouter'
import { isAborted, messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { texts } from '#texts/member.ts'
import { toast } from '#ui/toast.ts'
import { notifyOtherTabs } from '../chat-tabs.ts'
import { editThread, loadFormulasFor, threadKey } from '../queries.ts'
import { type Thread, withLastPage, withOlderPage } from '../thread.ts'
import type { LogHandle } from './MessageLog.tsx'

/** The most messages that one call returns. */
const maxPageSize = 200

interface ChatIds {
  channelId: string
  chatId: string
}

/** Loads older messages until the message is found, switching versions if needed. False if it does not exist. */
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
  const [reached, setReached] = useState<string | null>(null)
  const targetId = search.get('message')
  const isLoaded = thread !== undefined

  const clearUrl = useEffectEvent(() => setSearch({ chat: chatId }, { replace: true }))
  const fail = useEffectEvent((message: string) => {
    toast.error(message)
    clearUrl()
  })

  useEffect(() => {
    if (targetId === null || !isLoaded) return
    const leaving = new AbortController()
    loadUntilFound(client, { channelId, chatId }, targetId, leaving.signal).then(
      (isFound) => {
        if (leaving.signal.aborted) return
        if (isFound) setReached(targetId)
        else fail(texts.chat.messageDeleted)
      },
      (error: unknown) => {
        if (!isAborted(error) && !leaving.signal.aborted) fail(messageOf(error, texts.chat.messageDeleted))
      },
    )
    return () => leaving.abort()
  }, [client, channelId, chatId, targetId, isLoaded])

  useEffect(() => {
    if (reached === null || !thread?.messages.some(({ _id }) => _id === reached)) return
    log.current?.reveal(reached)
    setReached(null)
    clearUrl()
  }, [reached, thread, log])

  return { isJumping: targetId !== null }
}
