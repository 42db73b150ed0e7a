import { chatsApi } from '@lyceum/contract/chats'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { call } from '#api/call.ts'
import { line } from '#lib/line.ts'

/** How often a server that did not answer is asked again. */
const probeMs = 5000

const subscribeOnline = (changed: () => void): (() => void) => {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}

export type LineState = 'up' | 'offline' | 'unreachable'

/** Whether there is a line to the server; when it is back, what is shown of the channel is loaded anew, once. */
export const useLine = (channelId: string): LineState => {
  const client = useQueryClient()
  const isOnline = useSyncExternalStore(subscribeOnline, () => navigator.onLine)
  const isReached = useSyncExternalStore(line.subscribe, line.isReached)
  const state: LineState = isOnline ? (isReached ? 'up' : 'unreachable') : 'offline'

  useEffect(() => {
    if (state !== 'unreachable') return
    const probe = (): void => {
      // Whatever it answers, it answers.
      call(chatsApi.list, { params: { channelId }, query: { limit: 1 } }).catch(() => undefined)
    }
    probe()
    const timer = setInterval(probe, probeMs)
    return () => clearInterval(timer)
  }, [state, channelId])

  const wasDown = useRef(false)
  useEffect(() => {
    if (state === 'up' && wasDown.current) {
      void client.invalidateQueries({ queryKey: ['chats', channelId] })
      void client.invalidateQueries({ queryKey: ['thread', channelId] })
    }
    wasDown.current = state !== 'up'
  }, [state, client, channelId])

  return state
}
