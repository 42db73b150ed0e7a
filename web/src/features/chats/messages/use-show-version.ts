import { type Conversation, chatsApi } from '@lyceum/contract/chats'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { texts } from '#texts/member.ts'
import { toast } from '#ui/toast.ts'
import { notifyOtherTabs } from '../other-tabs.ts'
import { chatsKey, editThread, loadFormulasFor } from '../queries.ts'
import { withLastPage, withVersion } from '../thread.ts'
import { useTurns } from '../turns/TurnsProvider.tsx'

/** The maximum page size that the server accepts. */
const maxPageSize = 200

export interface VersionChange {
  /** The version shown now. */
  from: string
  to: string
}

/** Returns the page, or a longer one if the version is not on it. */
async function loadPageWithVersion(
  params: { channelId: string; chatId: string },
  page: Conversation,
  to: string,
) {
  return page.before === null || page.messages.some(({ _id }) => _id === to)
    ? page
    : call(chatsApi.get, { params, query: { limit: maxPageSize } })
}

/** Replaces a message with another version of it and the messages that follow that version. */
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
      const shown = await call(chatsApi.showVersion, { params: { ...params, messageId: to } })
      const page = await loadPageWithVersion(params, shown, to)
      await loadFormulasFor(page)
      return page
    },
    onSuccess: async (page, change) => {
      turns.discardUnsentEdit(chatId)
      turns.activities.replaceRow(change.to, change.from)
      await editThread(client, channelId, chatId, (thread) => {
        onBeforeChange(change)
        return withVersion(thread, { ...change, page }) ?? withLastPage(undefined, page)
      })
      notifyOtherTabs({ channelId, chatId })
      void client.invalidateQueries({ queryKey: chatsKey(channelId) })
    },
    onError: (error) => toast.error(messageOf(error, texts.chat.showVersionFailed)),
  })
  return { show: show.mutate, isLoadingVersion: show.isPending }
}
