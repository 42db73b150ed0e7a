import { chatsApi } from '@lyceum/contract/chats'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'wouter'
import { isAborted, messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { texts } from '#texts/member.ts'
import { toast } from '#ui/toast.ts'
import { tellOtherTabs } from '../chat-tabs.ts'
import { editThread, readyForMaths, threadKey } from '../queries.ts'
import { type Thread, withLastPage, withOlderPage } from '../thread.ts'
import type { LogHandle } from './MessageLog.tsx'

/** As much as one call gives. */
const longestPage = 200

interface Place {
  channelId: string
  chatId: string
}

/** Loads upwards to a message; one that stands on another version is shown first. False when it is nowhere. */
async function reach(client: QueryClient, place: Place, messageId: string, signal: AbortSignal) {
  const { channelId, chatId } = place
  let hasSwitched = false
  while (!signal.aborted) {
    const thread = client.getQueryData<Thread>(threadKey(channelId, chatId))
    if (thread === undefined) return false
    if (thread.messages.some(({ _id }) => _id === messageId)) {
      await readyForMaths(thread)
      return true
    }
    if (thread.before !== null) {
      const query = { limit: longestPage, before: thread.before }
      const page = await call(chatsApi.get, { params: place, query }, { signal })
      await readyForMaths(page)
      await editThread(client, channelId, chatId, (known) => withOlderPage(known, page))
      continue
    }
    if (hasSwitched) return false
    hasSwitched = true
    const page = await call(chatsApi.show, { params: { ...place, messageId } }, { signal })
    await readyForMaths(page)
    await editThread(client, channelId, chatId, () => withLastPage(undefined, page))
    tellOtherTabs(place)
  }
  return false
}

interface Given extends Place {
  thread: Thread | undefined
  log: RefObject<LogHandle | null>
}

/** Brings the message that the address names into view, wherever in the chat it stands; the address then drops it. */
export function useMessageJump({ channelId, chatId, thread, log }: Given): { isSeeking: boolean } {
  const client = useQueryClient()
  const [search, setSearch] = useSearchParams()
  const [reached, setReached] = useState<string | null>(null)
  const sought = search.get('message')
  const isLoaded = thread !== undefined

  const settle = useEffectEvent(() => setSearch({ chat: chatId }, { replace: true }))
  const giveUp = useEffectEvent((words: string) => {
    toast.error(words)
    settle()
  })

  useEffect(() => {
    if (sought === null || !isLoaded) return
    const leaving = new AbortController()
    reach(client, { channelId, chatId }, sought, leaving.signal).then(
      (isThere) => {
        if (leaving.signal.aborted) return
        if (isThere) setReached(sought)
        else giveUp(texts.chat.messageGone)
      },
      (error: unknown) => {
        if (!isAborted(error) && !leaving.signal.aborted) giveUp(messageOf(error, texts.chat.messageGone))
      },
    )
    return () => leaving.abort()
  }, [client, channelId, chatId, sought, isLoaded])

  useEffect(() => {
    if (reached === null || !thread?.messages.some(({ _id }) => _id === reached)) return
    log.current?.reveal(reached)
    setReached(null)
    settle()
  }, [reached, thread, log])

  return { isSeeking: sought !== null }
}
