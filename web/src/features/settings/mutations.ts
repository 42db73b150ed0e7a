import {
  type ConversationSettings,
  conversationsApi,
  type Retention,
  type ReviewNotice,
} from '@lyceum/contract/conversations'
import type { RetentionPreview } from '@lyceum/contract/retention'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { channelsKey } from '#features/channels/queries.ts'
import { log } from '#lib/log.ts'
import { conversationSettingsQuery } from './queries.ts'

function useSave<Body>(send: (body: Body) => Promise<ConversationSettings>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: (saved) => {
      client.setQueryData(conversationSettingsQuery().queryKey, saved)
      // Members are told of it with their channel.
      void client.invalidateQueries({ queryKey: channelsKey })
    },
  })
}

export function useSaveNotice() {
  return useSave((body: ReviewNotice) => call(conversationsApi.setNotice, { body }))
}

export function useSaveRetention() {
  return useSave((body: Retention) => call(conversationsApi.setRetention, { body }))
}

/** Null where it could not be counted. */
export function previewRetention(days: number): Promise<RetentionPreview | null> {
  return call(conversationsApi.previewRetention, { query: { days } }).catch((error: unknown) => {
    log('The chats that would go could not be counted', error)
    return null
  })
}
