import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useEffect, useState } from 'react'
import { useStoreValue } from '#lib/store.ts'
import { onChangeElsewhere } from '../chat-tabs.ts'
import { refreshChat } from '../queries.ts'
import type { ChatActivity } from './activity.ts'
import { createTurns, type Turns } from './turns.ts'

const TurnsContext = createContext<Turns | null>(null)

interface Props {
  /** Stays the same for the life of this component, as the channel does: its parent gives it a key. */
  userId: string
  channelId: string
  children: ReactNode
}

/** Holds what is being asked and answered in a channel while its screen is open, and keeps up with other tabs. */
export function TurnsProvider({ userId, channelId, children }: Props) {
  const queryClient = useQueryClient()
  const [turns] = useState(() => createTurns(queryClient, channelId, userId))
  useEffect(() => () => turns.leave(), [turns])
  useEffect(
    () =>
      onChangeElsewhere((change) => {
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
