import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useEffect, useState } from 'react'
import { useStoreValue } from '#lib/store.ts'
import { onChangeInOtherTab } from '../other-tabs.ts'
import { refreshChat } from '../queries.ts'
import type { ChatActivity } from './activity.ts'
import { createTurns, type Turns } from './turns.ts'

const TurnsContext = createContext<Turns | null>(null)

interface Props {
  /** The user and the channel must not change: the parent passes a key with both. */
  userId: string
  channelId: string
  children: ReactNode
}

/** Provides the turns of a channel while its screen is open, and reloads chats that other tabs have changed. */
export function TurnsProvider({ userId, channelId, children }: Props) {
  const queryClient = useQueryClient()
  const [turns] = useState(() => createTurns(queryClient, channelId, userId))
  useEffect(() => () => turns.leave(), [turns])
  useEffect(
    () =>
      onChangeInOtherTab((change) => {
        if (change.channelId === channelId) void refreshChat(queryClient, channelId, change.chatId)
      }),
    [queryClient, channelId],
  )
  return <TurnsContext value={turns}>{children}</TurnsContext>
}

export function useTurns(): Turns {
  const turns = use(TurnsContext)
  if (turns === null) throw new Error('TurnsProvider is missing')
  return turns
}

export function useActivity(chatId: string): ChatActivity {
  const { activities } = useTurns()
  return useStoreValue(activities, () => activities.read(chatId))
}
