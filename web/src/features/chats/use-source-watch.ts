import type { ChatMessage } from '@lyceum/contract/chats'
import { maxCheckedSources, sourcesApi } from '@lyceum/contract/sources'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '#api/call.ts'
import { editThread } from './queries.ts'
import { withDeletedSources } from './thread.ts'

/** How often the sources of an open chat are checked, in milliseconds. */
const intervalMs = 10_000
const noneDeleted: readonly string[] = []

/** The documents that the last replies cite. */
function listSources(messages: readonly ChatMessage[]): string[] {
  const cited = messages
    .toReversed()
    .flatMap(({ citations = [] }) => citations)
    .filter(({ available, isAttachment }) => available && isAttachment !== true)
    .map(({ documentId }) => documentId)
  return [...new Set(cited)].slice(0, maxCheckedSources)
}

/** Marks the sources of an open chat that are deleted meanwhile. A hidden tab checks them once it is shown again. */
export function useSourceWatch(channelId: string, chatId: string, messages: readonly ChatMessage[]): void {
  const client = useQueryClient()
  const documentIds = listSources(messages).join(',')
  const { data: deleted } = useQuery({
    queryKey: ['deleted-sources', channelId, documentIds],
    queryFn: async ({ signal }): Promise<readonly string[]> => {
      const input = { params: { channelId }, query: { documentIds } }
      return (await call(sourcesApi.listDeleted, input, { signal })).documentIds
    },
    enabled: documentIds !== '',
    // The chat that was just loaded says the same.
    initialData: noneDeleted,
    refetchInterval: intervalMs,
    meta: { quiet: true },
  })
  useEffect(() => {
    if (deleted.length > 0)
      void editThread(client, channelId, chatId, (thread) => withDeletedSources(thread, deleted))
  }, [client, channelId, chatId, deleted])
}
