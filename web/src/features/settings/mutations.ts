import {
  type ConversationSettings,
  conversationsApi,
  type Retention,
  type ReviewNotice,
} from '@lyceum/contract/conversation-settings'
import type { RetentionPreview } from '@lyceum/contract/retention'
import { settingsApi } from '@lyceum/contract/settings'
import type { TwoFactorSettings } from '@lyceum/contract/two-factor'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { channelsKey } from '#features/channels/queries.ts'
import { twoFactorKey } from '#features/two-factor/queries.ts'
import { log } from '#lib/log.ts'
import { conversationSettingsQuery, globalSettingsQuery } from './queries.ts'

function useSaveConversationSettings<Body>(send: (body: Body) => Promise<ConversationSettings>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: (saved) => {
      client.setQueryData(conversationSettingsQuery().queryKey, saved)
      // The server sends members the notice and the retention period with each channel.
      void client.invalidateQueries({ queryKey: channelsKey })
    },
  })
}

export function useSaveNotice() {
  return useSaveConversationSettings((body: ReviewNotice) => call(conversationsApi.setNotice, { body }))
}

export function useSaveRetention() {
  return useSaveConversationSettings((body: Retention) => call(conversationsApi.setRetention, { body }))
}

/** Changes the settings for all users. The form shows errors. */
export function useSaveTwoFactor() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: TwoFactorSettings) => call(settingsApi.update, { body }),
    onSuccess: ({ settings }) => {
      client.setQueryData(globalSettingsQuery().queryKey, settings)
      // The effective settings of users without an override have changed as well.
      void client.invalidateQueries({ queryKey: twoFactorKey })
    },
  })
}

/** Counts the chats that a shorter period would delete; null when counting failed. */
export function previewRetention(days: number): Promise<RetentionPreview | null> {
  return call(conversationsApi.previewRetention, { query: { days } }).catch((error: unknown) => {
    log('Counting the chats to delete failed', error)
    return null
  })
}
