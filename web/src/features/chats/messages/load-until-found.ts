import { chatsApi } from '@lyceum/contract/chats'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { notifyOtherTabs } from '../other-tabs.ts'
import { editThread, loadFormulasFor, threadKey } from '../queries.ts'
import { type Thread, withLastPage, withOlderPage } from '../thread.ts'

/** The maximum page size that the server accepts. */
const maxPageSize = 200

export interface ChatIds {
  channelId: string
  chatId: string
}

/** Loads older messages until the message is found, switching versions if needed. Returns false if it is missing. */
export async function loadUntilFound(
  client: QueryClient,
  chat: ChatIds,
  messageId: string,
  signal: AbortSignal,
) {
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
