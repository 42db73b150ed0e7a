import {
  type Channel,
  type ChannelInput,
  channelsApi,
  type StarterQuestionsInput,
} from '@lyceum/contract/channels'
import { conversationsApi } from '@lyceum/contract/conversation-settings'
import type { RetentionPreview } from '@lyceum/contract/retention'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '#api/api-error.ts'
import { call } from '#api/call.ts'
import { documentListsKey } from '#features/documents/queries.ts'
import { log } from '#lib/log.ts'
import { texts } from '#texts/admin.ts'
import { banner } from '#ui/banner.ts'
import { channelsKey } from './queries.ts'

/** Creates a channel, or updates the one with this id. */
export function useSaveChannel(id: string | null) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: ChannelInput) =>
      id === null ? call(channelsApi.create, { body }) : call(channelsApi.update, { params: { id }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: channelsKey }),
  })
}

export function useSetStarters(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: StarterQuestionsInput) => call(channelsApi.setStarters, { params: { id }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: channelsKey }),
  })
}

export function useSetArchived(isArchived: boolean) {
  const client = useQueryClient()
  const outcome = isArchived ? texts.channels.archive : texts.channels.restore
  return useMutation({
    mutationFn: ({ _id }: Channel) =>
      call(channelsApi.archive, { params: { id: _id }, body: { isArchived } }),
    onSuccess: () => banner.success(outcome.done),
    onError: (error) => banner.error(messageOf(error, outcome.failed)),
    onSettled: () => client.invalidateQueries({ queryKey: channelsKey }),
  })
}

export function useRemoveChannel() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ _id }: Channel) => call(channelsApi.remove, { params: { id: _id } }),
    onSuccess: () => banner.success(texts.channels.remove.done),
    onError: (error) => banner.error(messageOf(error, texts.channels.remove.failed)),
    // Refetch after a refusal too, because another administrator may have deleted the channel.
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: channelsKey }),
        client.invalidateQueries({ queryKey: documentListsKey }),
      ]),
  })
}

/** How many chats the next retention run would delete; null if they could not be counted. */
export function previewRetention(id: string, days: number): Promise<RetentionPreview | null> {
  return call(channelsApi.previewRetention, { params: { id }, query: { days } }).catch((error: unknown) => {
    log('The chats to be deleted could not be counted', error)
    return null
  })
}

/** The retention period in days for channels without a custom one; null keeps chats forever. */
export async function fetchGlobalRetentionDays(): Promise<number | null> {
  return (await call(conversationsApi.get, {})).retention.days
}
