import { type Conversation, chatsApi } from '@lyceum/contract/chats'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { texts } from '#texts/member.ts'
import { toast } from '#ui/toast.ts'
import { tellOtherTabs } from '../chat-tabs.ts'
import { chatsKey, editThread, readyForMaths } from '../queries.ts'
import { withLastPage, withVersion } from '../thread.ts'
import { useTurns } from '../turns/TurnsProvider.tsx'

/** As much as one call gives. */
const longestPage = 200

export interface VersionChange {
  /** The version that is shown. */
  from: string
  to: string
}

/** A page that reaches up to the version, where one call can give it. */
async function reachingPage(params: { channelId: string; chatId: string }, page: Conversation, to: string) {
  return page.before === null || page.messages.some(({ _id }) => _id === to)
    ? page
    : call(chatsApi.get, { params, query: { limit: longestPage } })
}

/** Shows another version of a message in its place, with what followed it. */
export function useShowVersion(
  channelId: string,
  chatId: string,
  onBeforeChange: (change: VersionChange) => void,
) {
  const client = useQueryClient()
  const turns = useTurns()
  const show = useMutation({
    mutationFn: async ({ to }: VersionChange) => {
      const params = { channelId, chatId }
      const shown = await call(chatsApi.show, { params: { ...params, messageId: to } })
      const page = await reachingPage(params, shown, to)
      await readyForMaths(page)
      return page
    },
    onSuccess: async (page, change) => {
      turns.forgetEdit(chatId)
      turns.activities.takePlace(change.to, change.from)
      await editThread(client, channelId, chatId, (thread) => {
        onBeforeChange(change)
        return withVersion(thread, { ...change, page }) ?? withLastPage(undefined, page)
      })
      tellOtherTabs({ channelId, chatId })
      void client.invalidateQueries({ queryKey: chatsKey(channelId) })
    },
    onError: (error) => toast.error(messageOf(error, texts.chat.showVersionFailed)),
  })
  return { show: show.mutate, isShowing: show.isPending }
}
