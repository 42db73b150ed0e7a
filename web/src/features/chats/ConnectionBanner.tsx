import { chatsApi } from '@lyceum/contract/chats'
import { useQueryClient } from '@tanstack/react-query'
import { WifiOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { call } from '#api/call.ts'
import { connection } from '#lib/connection.ts'
import { useStore } from '#lib/store.ts'
import { texts } from '#texts/member.ts'
import { chatsKey, threadsKey } from './queries.ts'
import { useIsOnline } from './use-is-online.ts'

/** How often an unreachable server is probed. */
const probeMs = 5000

type ConnectionState = 'up' | 'offline' | 'unreachable'

/**
 * The state of the connection. When it is restored, the channel's chats are loaded again. One failed request is shown
 * where it was made, so the server only counts as unreachable once a probe has failed too.
 */
function useConnectionState(channelId: string): ConnectionState {
  const client = useQueryClient()
  const [hasProbeFailed, setHasProbeFailed] = useState(false)
  const isOnline = useIsOnline()
  const isReachable = useStore(connection.isReachable)
  const state: ConnectionState = isOnline ? (isReachable ? 'up' : 'unreachable') : 'offline'

  useEffect(() => {
    if (state !== 'unreachable') return
    function probe(): void {
      // Any response, even an error, means that the server is reachable.
      call(chatsApi.list, { params: { channelId }, query: { limit: 1 } }).catch(() => setHasProbeFailed(true))
    }
    probe()
    const timer = setInterval(probe, probeMs)
    return () => {
      clearInterval(timer)
      setHasProbeFailed(false)
    }
  }, [state, channelId])

  const wasDown = useRef(false)
  useEffect(() => {
    if (state === 'up' && wasDown.current) {
      void client.invalidateQueries({ queryKey: chatsKey(channelId) })
      void client.invalidateQueries({ queryKey: threadsKey(channelId) })
    }
    wasDown.current = state !== 'up'
  }, [state, client, channelId])

  return state === 'unreachable' && !hasProbeFailed ? 'up' : state
}

const stateTexts = { up: null, offline: texts.chat.offline, unreachable: texts.chat.unreachable }

/** Shown while the server is unreachable. The region is always mounted, so that screen readers announce the change. */
export function ConnectionBanner({ channelId }: { channelId: string }) {
  const message = stateTexts[useConnectionState(channelId)]
  return (
    <div role="status" className="print:hidden">
      {message !== null && (
        <p className="flex items-start justify-center gap-2 border-warning/35 border-b bg-warning-soft px-4 py-2 text-sm">
          <WifiOff aria-hidden="true" className="mt-px size-4.5 shrink-0 text-warning" strokeWidth={1.75} />
          {message}
        </p>
      )}
    </div>
  )
}
